/* SPDX-License-Identifier: Apache-2.0 */
/* Each rank: MPI_Alloc_mem of 100000 bytes and MPI_Free_mem; MPI_Win_allocate
 * of 5000 and MPI_Win_allocate_shared of 3000, freed (that of 5000 under MPICH
 * after MPI_Win_free has refused to, because it is locked); an MPI_Win_create of a
 * block of its own; MPI_Alloc_mem of 777, kept.
 * Used by t6010. */
#include <mpi.h>
#include <stdlib.h>

static void *volatile kept;

int main(int argc, char **argv)
{
	void *base, *own = malloc(4321), *p, *q;
	MPI_Comm node;
	MPI_Win a, b, c;

	MPI_Init(&argc, &argv);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0,
			    MPI_INFO_NULL, &node);
	MPI_Alloc_mem(100000, MPI_INFO_NULL, &base);
	MPI_Free_mem(base);
	MPI_Win_allocate(5000, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &p, &a);
	MPI_Win_allocate_shared(3000, 1, MPI_INFO_NULL, node, &q, &b);
	MPI_Win_create(own, 4321, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &c);
	((char *)p)[4999] = ((char *)q)[2999] = 1;
	MPI_Win_free(&c);
	MPI_Win_free(&b);
#ifdef MPICH_VERSION
	MPI_Win_set_errhandler(a, MPI_ERRORS_RETURN);
	MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, a);
	if (MPI_Win_free(&a) == MPI_SUCCESS)
		return 1;
	MPI_Win_unlock(0, a);
#endif
	MPI_Win_free(&a);
	MPI_Alloc_mem(777, MPI_INFO_NULL, &base);
	kept = base;
	free(own);
	MPI_Comm_free(&node);
	MPI_Finalize();
	return 0;
}
