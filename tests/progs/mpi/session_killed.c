/* SPDX-License-Identifier: Apache-2.0 */
/* Begins a session; malloc of 4711 bytes, freed; then SIGKILL.
 * Used by t6020. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
	MPI_Session s;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s);
	free(malloc(4711));
	kill(getpid(), SIGKILL);
	return 0;
}
