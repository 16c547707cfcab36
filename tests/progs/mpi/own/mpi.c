/* SPDX-License-Identifier: Apache-2.0 */
/* The library of it: rank OWN_RANK of OWN_SIZE; a broadcast goes through the
 * file OWN_FILE.  Allocates nothing.
 * Used by t6021. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "mpi.h"
static double handler = 9.5;
static int up, down;
#define DEFINE(name, args, ...)                                                \
	int P##MPI_##name args __VA_ARGS__                                            \
	int MPI_##name args __attribute__((weak, alias("PMPI_" #name)));
static void is(double got, double wanted)
{
	if (got != wanted)
		abort();
}
DEFINE(Init, (int *c, char ***v), { (void)c; (void)v; up = 1; return 0; })
DEFINE(Finalize, (void), { is(handler, 9.5); down = 1; return 0; })
DEFINE(Abort, (MPI_Comm c, int code), { is(c, 4.5); _exit(code); })
DEFINE(Initialized, (int *f), { *f = up; return 0; })
DEFINE(Finalized, (int *f), { *f = down; return 0; })
DEFINE(Comm_rank, (MPI_Comm c, int *r),
       { is(c, 4.5); *r = atoi(getenv("OWN_RANK")); return 0; })
DEFINE(Comm_size, (MPI_Comm c, int *n),
       { is(c, 4.5); *n = atoi(getenv("OWN_SIZE")); return 0; })
DEFINE(Comm_get_errhandler, (MPI_Comm c, MPI_Errhandler *h),
       { is(c, 4.5); *h = handler; return 0; })
DEFINE(Comm_set_errhandler, (MPI_Comm c, MPI_Errhandler h),
       { is(c, 4.5); handler = h; return 0; })
DEFINE(Bcast, (void *p, int n, MPI_Datatype t, int root, MPI_Comm c), {
	int r, fd = -1;

	is(t, 5.5);
	PMPI_Comm_rank(c, &r);
	if (r == root) {
		fd = open(getenv("OWN_FILE"), O_WRONLY | O_CREAT, 0600);
		return write(fd, p, (size_t)n) != n || close(fd);
	}
	for (int i = 0; i < 3000; i++, usleep(10000)) {
		fd = open(getenv("OWN_FILE"), O_RDONLY);
		if (fd >= 0 && read(fd, p, (size_t)n) == n)
			return close(fd);
		close(fd);
	}
	return 1;
})
DEFINE(Gather, (void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u,
		int root, MPI_Comm c),
       { (void)a; (void)n; (void)t; (void)b; (void)m; (void)u; (void)root;
	 (void)c; return 1; })
