/* SPDX-License-Identifier: Apache-2.0 */
/* A tool for MPI programs: counts calls, and tells of them in MPI_Finalize.
 * -DNEXT(x): what it calls; -DHERE(x): what it defines; -DNAME.  Allocates
 * nothing.
 * Used by t6022. */
#include <mpi.h>
#include <stdio.h>
#ifndef HERE
#define HERE(x) MPI_##x
#endif
#ifndef NEXT
#define NEXT(x) PMPI_##x
#endif
static int calls[16];
static void tell(const char *what)
{
	char line[256];
	int n = sprintf(line, "tool " NAME " %s:", what);

	for (int i = 0; i < 16; i++)
		n += sprintf(line + n, " %d", calls[i]);
	fprintf(stderr, "%s\n", line);
}
#ifdef LOADER
#include <dlfcn.h>
#define CALL(x) ((__typeof__(&MPI_##x))dlsym(RTLD_NEXT, "MPI_" #x))
#else
#define CALL(x) NEXT(x)
#endif
#define C(i, x, params, args)                                                  \
	int NEXT(x) params;                                                    \
	int HERE(x) params { calls[i]++; return CALL(x) args; }
C(0, Init, (int *c, char ***v), (c, v))
C(1, Init_thread, (int *c, char ***v, int r, int *p), (c, v, r, p))
C(2, Comm_rank, (MPI_Comm c, int *r), (c, r))
C(3, Comm_size, (MPI_Comm c, int *n), (c, n))
C(4, Bcast, (void *b, int n, MPI_Datatype t, int r, MPI_Comm c),
  (b, n, t, r, c))
C(5, Alloc_mem, (MPI_Aint n, MPI_Info i, void *p), (n, i, p))
C(6, Free_mem, (void *p), (p))
C(7, Win_allocate, (MPI_Aint n, int u, MPI_Info i, MPI_Comm c, void *p,
		    MPI_Win *w), (n, u, i, c, p, w))
C(8, Win_free, (MPI_Win *w), (w))
C(9, Initialized, (int *f), (f))
C(10, Comm_set_errhandler, (MPI_Comm c, MPI_Errhandler h), (c, h))
C(11, Win_get_attr, (MPI_Win w, int k, void *v, int *f), (w, k, v, f))
int NEXT(Finalize)(void);
int HERE(Finalize)(void)
{
	calls[12]++;
	tell("C");
	return CALL(Finalize)();
}
#ifndef LOADER
#ifdef FORTRAN
#define F(i, x, params, args)                                                  \
	void pmpi_##x##_ params;                                               \
	void mpi_##x##_ params { calls[i]++; pmpi_##x##_ args; }
F(13, init, (int *e), (e))
F(14, comm_rank, (int *c, int *r, int *e), (c, r, e))
void pmpi_finalize_(int *e);
void mpi_finalize_(int *e)
{
	calls[15]++;
	tell("Fortran");
	pmpi_finalize_(e);
}
#endif
#endif
