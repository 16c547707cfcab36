/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one list of functions that wmtools intercepts.
 *
 * WM_WRAP_LIST(X) expands X(symbol, family) once per function:
 *   wmcc      turns it into --wrap=SYMBOL for static links
 *   wrappers  defines one __wrap_SYMBOL (static) or SYMBOL (dynamic) for each
 *   check     `make check-symbols` proves that the two agree
 *
 * Families:
 *   heap   always wrapped
 *   exit   the last place where a process can hand over its trace
 *   process forks that have to be followed; static programs: wrapped only
 *          where the plain program contains the function
 *   loader dynamic programs only: what invalidates the unwinder's tables
 *   mpi    only in programs that use MPI; wrapped only where the plain link
 *          shows that the program contains the function, because a reference
 *          to __wrap_X takes away the reference that pulls X from its archive
 */
#ifndef WM_WRAP_LIST_H
#define WM_WRAP_LIST_H

#define WM_WRAP_HEAP(X)                                                        \
	X(malloc, heap)                                                        \
	X(calloc, heap)                                                        \
	X(realloc, heap)                                                       \
	X(reallocarray, heap)                                                  \
	X(free, heap)                                                          \
	X(cfree, heap)                                                         \
	X(posix_memalign, heap)                                                \
	X(aligned_alloc, heap)                                                 \
	X(memalign, heap)                                                      \
	X(valloc, heap)                                                        \
	X(pvalloc, heap)

#define WM_WRAP_EXIT(X)                                                        \
	X(_exit, exit)                                                         \
	X(_Exit, exit)

#define WM_WRAP_PROCESS(X) X(daemon, process)

#define WM_WRAP_LOADER(X) X(dlclose, loader)

/* C spellings first, then every Fortran mangling that is in use. */
#define WM_WRAP_MPI(X)                                                         \
	X(MPI_Init, mpi)                                                       \
	X(MPI_Init_thread, mpi)                                                \
	X(MPI_Finalize, mpi)                                                   \
	X(MPI_Abort, mpi)                                                      \
	X(mpi_init, mpi)                                                       \
	X(mpi_init_, mpi)                                                      \
	X(mpi_init__, mpi)                                                     \
	X(MPI_INIT, mpi)                                                       \
	X(mpi_init_f08_, mpi)                                                  \
	X(mpi_init_thread, mpi)                                                \
	X(mpi_init_thread_, mpi)                                               \
	X(mpi_init_thread__, mpi)                                              \
	X(MPI_INIT_THREAD, mpi)                                                \
	X(mpi_init_thread_f08_, mpi)                                           \
	X(mpi_finalize, mpi)                                                   \
	X(mpi_finalize_, mpi)                                                  \
	X(mpi_finalize__, mpi)                                                 \
	X(MPI_FINALIZE, mpi)                                                   \
	X(mpi_finalize_f08_, mpi)                                              \
	X(mpi_abort, mpi)                                                      \
	X(mpi_abort_, mpi)                                                     \
	X(mpi_abort__, mpi)                                                    \
	X(MPI_ABORT, mpi)                                                      \
	X(mpi_abort_f08_, mpi)

#define WM_WRAP_LIST(X)                                                        \
	WM_WRAP_HEAP(X)                                                        \
	WM_WRAP_EXIT(X)                                                        \
	WM_WRAP_PROCESS(X)                                                     \
	WM_WRAP_LOADER(X)                                                      \
	WM_WRAP_MPI(X)

#endif
