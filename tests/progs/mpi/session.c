/* SPDX-License-Identifier: Apache-2.0 */
/* Each rank: MPI_Session_init, a communicator of mpi://WORLD, malloc of 3000
 * * (rank + 1) bytes, kept; -DWORLD=1: MPI_Init after the session, =2: before
 * it, =0: none.
 * Used by t6020. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static void *volatile p;
int main(int argc, char **argv)
{
	MPI_Session s;
	MPI_Group g;
	MPI_Comm c;
	int r, n;
#if WORLD == 2
	MPI_Init(&argc, &argv);
#endif
	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s);
	MPI_Group_from_session_pset(s, "mpi://WORLD", &g);
	MPI_Comm_create_from_group(g, "test", MPI_INFO_NULL, MPI_ERRORS_RETURN,
				   &c);
#if WORLD == 1
	MPI_Init(&argc, &argv);
#endif
	MPI_Comm_rank(c, &r);
	MPI_Comm_size(c, &n);
	p = malloc(3000 * (size_t)(r + 1));
	if (r == 0)
		printf("%d ranks\n", n);
	MPI_Comm_free(&c);
	MPI_Group_free(&g);
	MPI_Session_finalize(&s);
	if (argc > 9)
		puts(argv[1]);
#if WORLD
	MPI_Finalize();
#endif
	return 0;
}
