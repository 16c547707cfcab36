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
 *   sized  C23's free with a size; wrapped where the plain program has it
 *   map    mappings, breaks, shared memory; likewise
 *   growth static programs only: glibc's names for the same when it calls them
 *          itself; likewise, and only all together
 *   thread dynamic programs only: stacks of threads, in an object of its own
 *   new    operator new and delete, in an object of their own that is linked
 *          where an allocator does not end in malloc; likewise
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

#define WM_WRAP_SIZED(X)                                                       \
	X(free_sized, sized)                                                   \
	X(free_aligned_sized, sized)

#define WM_WRAP_MAP(X)                                                         \
	X(mmap, map)                                                           \
	X(mmap64, map)                                                         \
	X(munmap, map)                                                         \
	X(mremap, map)                                                         \
	X(mprotect, map)                                                       \
	X(brk, map)                                                            \
	X(sbrk, map)                                                           \
	X(shmat, map)                                                          \
	X(shmdt, map)

#define WM_WRAP_GROWTH(X)                                                      \
	X(__mmap, growth)                                                      \
	X(__munmap, growth)                                                    \
	X(__mremap, growth)                                                    \
	X(__mprotect, growth)                                                  \
	X(__sbrk, growth)

/* Itanium C++ ABI: operator new and new[], plain, nothrow, aligned; operator
 * delete and delete[], the same and with the size. */
#define WM_WRAP_NEW(X)                                                         \
	X(_Znwm, new)                                                          \
	X(_Znam, new)                                                          \
	X(_ZnwmRKSt9nothrow_t, new)                                            \
	X(_ZnamRKSt9nothrow_t, new)                                            \
	X(_ZnwmSt11align_val_t, new)                                           \
	X(_ZnamSt11align_val_t, new)                                           \
	X(_ZnwmSt11align_val_tRKSt9nothrow_t, new)                             \
	X(_ZnamSt11align_val_tRKSt9nothrow_t, new)                             \
	X(_ZdlPv, new)                                                         \
	X(_ZdaPv, new)                                                         \
	X(_ZdlPvm, new)                                                        \
	X(_ZdaPvm, new)                                                        \
	X(_ZdlPvRKSt9nothrow_t, new)                                           \
	X(_ZdaPvRKSt9nothrow_t, new)                                           \
	X(_ZdlPvSt11align_val_t, new)                                          \
	X(_ZdaPvSt11align_val_t, new)                                          \
	X(_ZdlPvSt11align_val_tRKSt9nothrow_t, new)                            \
	X(_ZdaPvSt11align_val_tRKSt9nothrow_t, new)                            \
	X(_ZdlPvmSt11align_val_t, new)                                         \
	X(_ZdaPvmSt11align_val_t, new)

#define WM_WRAP_EXIT(X)                                                        \
	X(_exit, exit)                                                         \
	X(_Exit, exit)

#define WM_WRAP_PROCESS(X) X(daemon, process)

#define WM_WRAP_LOADER(X) X(dlclose, loader)

#define WM_WRAP_THREAD(X) X(pthread_create, thread)

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
	X(mpi_abort_f08_, mpi)                                                 \
	X(MPI_Alloc_mem, mpi)                                                  \
	X(MPI_Free_mem, mpi)                                                   \
	X(MPI_Win_allocate, mpi)                                               \
	X(MPI_Win_allocate_shared, mpi)                                        \
	X(MPI_Win_free, mpi)                                                   \
	X(mpi_alloc_mem, mpi)                                                  \
	X(mpi_alloc_mem_, mpi)                                                 \
	X(mpi_alloc_mem__, mpi)                                                \
	X(MPI_ALLOC_MEM, mpi)                                                  \
	X(mpi_alloc_mem_cptr, mpi)                                             \
	X(mpi_alloc_mem_cptr_, mpi)                                            \
	X(mpi_alloc_mem_cptr__, mpi)                                           \
	X(MPI_ALLOC_MEM_CPTR, mpi)                                             \
	X(mpi_alloc_mem_f08_, mpi)                                             \
	X(mpi_win_allocate, mpi)                                               \
	X(mpi_win_allocate_, mpi)                                              \
	X(mpi_win_allocate__, mpi)                                             \
	X(MPI_WIN_ALLOCATE, mpi)                                               \
	X(mpi_win_allocate_cptr, mpi)                                          \
	X(mpi_win_allocate_cptr_, mpi)                                         \
	X(mpi_win_allocate_cptr__, mpi)                                        \
	X(MPI_WIN_ALLOCATE_CPTR, mpi)                                          \
	X(mpi_win_allocate_f08_, mpi)                                          \
	X(mpi_win_allocate_f08_large_, mpi)                                    \
	X(mpi_win_allocate_shared, mpi)                                        \
	X(mpi_win_allocate_shared_, mpi)                                       \
	X(mpi_win_allocate_shared__, mpi)                                      \
	X(MPI_WIN_ALLOCATE_SHARED, mpi)                                        \
	X(mpi_win_allocate_shared_cptr, mpi)                                   \
	X(mpi_win_allocate_shared_cptr_, mpi)                                  \
	X(mpi_win_allocate_shared_cptr__, mpi)                                 \
	X(MPI_WIN_ALLOCATE_SHARED_CPTR, mpi)                                   \
	X(mpi_win_allocate_shared_f08_, mpi)                                   \
	X(mpi_win_allocate_shared_f08_large_, mpi)                             \
	X(mpi_free_mem, mpi)                                                   \
	X(mpi_free_mem_, mpi)                                                  \
	X(mpi_free_mem__, mpi)                                                 \
	X(MPI_FREE_MEM, mpi)                                                   \
	X(mpi_free_mem_f08_, mpi)                                              \
	X(mpi_free_mem_f08ts_, mpi)                                            \
	X(mpi_win_free, mpi)                                                   \
	X(mpi_win_free_, mpi)                                                  \
	X(mpi_win_free__, mpi)                                                 \
	X(MPI_WIN_FREE, mpi)                                                   \
	X(mpi_win_free_f08_, mpi)

/* Those of static programs that depend on what the plain program has. */
#define WM_WRAP_FOUND(X)                                                       \
	WM_WRAP_SIZED(X)                                                       \
	WM_WRAP_MAP(X)                                                         \
	WM_WRAP_GROWTH(X)                                                      \
	WM_WRAP_NEW(X)

#define WM_WRAP_LIST(X)                                                        \
	WM_WRAP_HEAP(X)                                                        \
	WM_WRAP_FOUND(X)                                                       \
	WM_WRAP_EXIT(X)                                                        \
	WM_WRAP_PROCESS(X)                                                     \
	WM_WRAP_LOADER(X)                                                      \
	WM_WRAP_THREAD(X)                                                      \
	WM_WRAP_MPI(X)

#endif
