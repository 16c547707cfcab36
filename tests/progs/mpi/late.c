/* SPDX-License-Identifier: Apache-2.0 */
/* As many malloc of 64 bytes and free before MPI_Init as the argument says,
 * and with a second one a vfork child that ends at once; then each rank malloc
 * of 1000 bytes in mine(), kept.
 * Used by t6405. */
#define _DEFAULT_SOURCE
#include <mpi.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void *volatile p;
__attribute__((noinline)) static void mine(void) { p = malloc(1000); }
int main(int argc, char **argv)
{
	pid_t child = argc > 2 ? vfork() : -1;

	if (child == 0)
		_exit(0);
	if (child > 0)
		waitpid(child, NULL, 0);
	for (long i = argc > 1 ? atol(argv[1]) : 0; i > 0; i--) {
		p = malloc(64);
		free(p);
	}
	MPI_Init(&argc, &argv);
	mine();
	MPI_Finalize();
	return 0;
}
