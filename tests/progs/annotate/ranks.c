/* SPDX-License-Identifier: Apache-2.0 */
/* Each rank: malloc of 1000000 * (rank + 1) bytes, freed; the name tells rank
 * 0 from the others.
 * Used by t2020. */
#include <mpi.h>
#include <stdlib.h>
#include <wm/wmtrace.h>
int main(int argc, char **argv)
{
	void *p;
	int r;

	wm_phase("before");
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &r);
	p = malloc(1000000 * (r + 1));
	wm_name(p, r ? "of others" : "of the first");
	wm_phase("after");
	MPI_Finalize();
	free(p);
	return 0;
}
