/* SPDX-License-Identifier: Apache-2.0 */
/* A library of the standard's ABI: its handles outside, MPICH's (integers)
 * inside.  A handle that is not one of the standard's is an error.
 * Used by t6023. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
typedef void *H;
typedef intptr_t A;
#ifdef LOADER
#include <dlfcn.h>
static void *mpich(const char *name)
{
	static void *lib;

	if (!lib)
		lib = dlopen("libmpich.so.12", RTLD_NOW | RTLD_LOCAL |
			     RTLD_DEEPBIND);
	return dlsym(lib, name);
}
#define CALL(x, params, args) ((int (*) params)mpich("PMPI_" #x)) args
#else
/* the archive's names have an R before them */
#define CALL(x, params, args)                                                  \
	({ extern int RPMPI_##x params; RPMPI_##x args; })
#endif
#define ABI(x, params, ...)                                                    \
	int PMPI_##x params __VA_ARGS__                                        \
	int MPI_##x params __attribute__((weak, alias("PMPI_" #x)));

static int one_of(const char *what, H h, intptr_t standard, int its)
{
	if ((intptr_t)h != standard) {
		fprintf(stderr, "abi: %p is no %s\n", h, what);
		abort();
	}
	return its;
}
#define WORLD(c) one_of("communicator", c, 0x101, 0x44000000)
#define INFO(i) one_of("info", i, 0x130, 0x1c000000)
#define TYPE(t) one_of("MPI_BYTE", t, 0x247, 0x4c00010d)
/* windows and handlers of the program: MPICH's number and a bit */
#define BIT (1l << 40)
static int win(H w) { return (int)((intptr_t)w & ~BIT); }

ABI(Abi_get_version, (int *a, int *i), { *a = 1; *i = 0; return 0; })
ABI(Init, (int *c, char ***v),
    { return CALL(Init, (int *, char ***), (c, v)); })
ABI(Finalize, (void), { return CALL(Finalize, (void), ()); })
ABI(Initialized, (int *f), { return CALL(Initialized, (int *), (f)); })
ABI(Finalized, (int *f), { return CALL(Finalized, (int *), (f)); })
ABI(Comm_rank, (H c, int *r),
    { return CALL(Comm_rank, (int, int *), (WORLD(c), r)); })
ABI(Comm_size, (H c, int *n),
    { return CALL(Comm_size, (int, int *), (WORLD(c), n)); })
ABI(Comm_get_errhandler, (H c, H *h), {
	int its = 0;
	int r = CALL(Comm_get_errhandler, (int, int *), (WORLD(c), &its));

	*h = (H)(BIT | its);
	return r;
})
ABI(Comm_set_errhandler, (H c, H h), {
	int its = (intptr_t)h & BIT ? win(h) :
		one_of("MPI_ERRORS_RETURN", h, 0x143, 0x54000001);

	return CALL(Comm_set_errhandler, (int, int), (WORLD(c), its));
})
ABI(Bcast, (void *p, int n, H t, int r, H c),
    { return CALL(Bcast, (void *, int, int, int, int),
		  (p, n, TYPE(t), r, WORLD(c))); })
ABI(Gather, (void *p, int n, H t, void *q, int m, H u, int r, H c),
    { return CALL(Gather, (void *, int, int, void *, int, int, int, int),
		  (p, n, TYPE(t), q, m, TYPE(u), r, WORLD(c))); })
ABI(Alloc_mem, (A n, H i, void *p),
    { return CALL(Alloc_mem, (A, int, void *), (n, INFO(i), p)); })
ABI(Free_mem, (void *p), { return CALL(Free_mem, (void *), (p)); })
ABI(Win_allocate, (A n, int u, H i, H c, void *p, H *w), {
	int its = 0;
	int r = CALL(Win_allocate, (A, int, int, int, void *, int *),
		     (n, u, INFO(i), WORLD(c), p, &its));

	*w = (H)(BIT | (unsigned)its);
	return r;
})
ABI(Win_free, (H *w), {
	int its = win(*w);

	return CALL(Win_free, (int *), (&its));
})
ABI(Win_get_attr, (H w, int key, void *v, int *f), {
	static int flavor[] = { 0, 311, 312, 313, 314 };
	int its = key == 601 ? 0x66000001 : 0x66000007;
	int r = CALL(Win_get_attr, (int, int, void *, int *),
		     (win(w), its, v, f));

	if (key != 601 && key != 604)
		abort();
	if (key == 604 && *f)
		*(int **)v = &flavor[**(int **)v];
	return r;
})
