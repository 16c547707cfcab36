/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one list of functions that wmtools intercepts.
 *
 * WM_WRAP_LIST(X) expands X(symbol, family) once per function:
 *   wmcc      turns it into --wrap=SYMBOL for static links
 *   wrappers  defines one __wrap_SYMBOL (static) or SYMBOL (dynamic) for each
 *   check     `make check-symbols` proves that the two agree
 *
 * In a static program a function X is wrapped only if the plain program contains
 * X, and -u asks the link for X: a reference to __wrap_X replaces the reference
 * that pulls X from its archive, and a reference of ours could pull in another
 * allocator.
 *
 * Families:
 *   heap   the heap of the C library
 *   sized  C23's free with a size
 *   map    mappings, breaks, shared memory
 *   growth static programs only: glibc's names for functions of map when it
 *          calls them itself; only in programs that contain __sbrk
 *   pages  static programs of glibc only: other functions that change, copy,
 *          limit or lock followed memory; and functions that change the rights
 *          that a thread of ours would keep
 *   start  static programs of glibc only: called before IFUNC resolvers
 *   thread dynamic programs only: stacks of threads, in an object of its own
 *   new    operator new and delete, in an object of their own that is linked
 *          where an allocator does not end in malloc
 *   exit   the last calls in which a process can write its trace, or record
 *          why it dies
 *   process forks that have to be followed
 *   loader dynamic programs only: functions that invalidate the unwinder's
 *          tables, and functions that open libraries whose calls we do not
 *          see
 *   mpi    only in programs that use MPI
 *   handle functions that make and free handles of MPI, in an object of their
 *          own: only in programs that call them
 *   hdf5   functions that make and close identifiers of HDF5, in an object of
 *          their own: only in programs that call them
 */
#ifndef WM_WRAP_LIST_H
#define WM_WRAP_LIST_H

#include "wm/handle_list.h"
#include "wm/hdf5_list.h"

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

#define WM_WRAP_PAGES(X)                                                       \
	X(madvise, pages)                                                      \
	X(__madvise, pages)                                                    \
	X(_Fork, pages)                                                        \
	X(fork, pages)                                                         \
	X(__fork, pages)                                                       \
	X(clone, pages)                                                        \
	X(__clone, pages)                                                      \
	X(syscall, pages)                                                      \
	X(process_madvise, pages)                                              \
	X(mseal, pages)                                                        \
	X(remap_file_pages, pages)                                             \
	X(setuid, pages)                                                       \
	X(setgid, pages)                                                       \
	X(seteuid, pages)                                                      \
	X(setegid, pages)                                                      \
	X(setreuid, pages)                                                     \
	X(setregid, pages)                                                     \
	X(setresuid, pages)                                                    \
	X(setresgid, pages)                                                    \
	X(setgroups, pages)                                                    \
	X(capset, pages)                                                       \
	X(prctl, pages)                                                        \
	X(unshare, pages)                                                      \
	X(setns, pages)                                                        \
	X(setrlimit, pages)                                                    \
	X(setrlimit64, pages)                                                  \
	X(prlimit, pages)                                                      \
	X(prlimit64, pages)                                                    \
	X(mlock, pages)                                                        \
	X(mlock2, pages)                                                       \
	X(munlock, pages)                                                      \
	X(mlockall, pages)                                                     \
	X(munlockall, pages)

#define WM_WRAP_ADVICE(X) X(madvise, pages)

#define WM_WRAP_START(X) X(__libc_start_main, start)

/* Itanium C++ ABI: operator new and new[], plain, nothrow and aligned; operator
 * delete and delete[], in the same forms and with the size. */
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
	X(_Exit, exit)                                                         \
	X(abort, exit)

#define WM_WRAP_PROCESS(X) X(daemon, process)

#define WM_WRAP_LOADER(X)                                                      \
	X(dlclose, loader)                                                     \
	X(dlopen, loader)                                                      \
	X(dlmopen, loader)

#define WM_WRAP_THREAD(X) X(pthread_create, thread)

/* The names of MPI_<Name> in Fortran: every mangling that is in use, procedures
 * of the mpi_f08 module, and Open MPI's names for C. */
#define WM_MPI_FORTRAN(X, name, NAME, Name)                                    \
	X(mpi_##name, mpi)                                                     \
	X(mpi_##name##_, mpi)                                                  \
	X(mpi_##name##__, mpi)                                                 \
	X(MPI_##NAME, mpi)                                                     \
	X(mpi_##name##_f08_, mpi)                                              \
	X(MPI_##Name##_f, mpi)                                                 \
	X(MPI_##Name##_f08, mpi)

/* The names with large counts: MPICH 4.0, MPI-4 names, Open MPI. */
#define WM_MPI_FORTRAN_LARGE(X, name)                                          \
	X(mpi_##name##_f08_large_, mpi)                                        \
	X(mpi_##name##_c_f08_, mpi)                                            \
	X(mpi_##name##_f08_c_, mpi)

/* The argument is a descriptor, not an address. */
/* clang-format off */
#define WM_MPI_FORTRAN_TS(X, name)                                             \
	X(mpi_##name##_f08ts_, mpi)

#define WM_WRAP_MPI(X)                                                         \
	X(MPI_Init, mpi)                                                       \
	X(MPI_Init_thread, mpi)                                                \
	X(MPI_Session_init, mpi)                                               \
	X(MPI_Finalize, mpi)                                                   \
	X(MPI_Abort, mpi)                                                      \
	X(MPI_Alloc_mem, mpi)                                                  \
	X(MPI_Free_mem, mpi)                                                   \
	X(MPI_Win_allocate, mpi)                                               \
	X(MPI_Win_allocate_c, mpi)                                             \
	X(MPI_Win_allocate_shared, mpi)                                        \
	X(MPI_Win_allocate_shared_c, mpi)                                      \
	X(MPI_Win_free, mpi)                                                   \
	WM_MPI_FORTRAN(X, init, INIT, Init)                                    \
	WM_MPI_FORTRAN(X, init_thread, INIT_THREAD, Init_thread)               \
	WM_MPI_FORTRAN(X, session_init, SESSION_INIT, Session_init)            \
	WM_MPI_FORTRAN(X, finalize, FINALIZE, Finalize)                        \
	WM_MPI_FORTRAN(X, abort, ABORT, Abort)                                 \
	WM_MPI_FORTRAN(X, alloc_mem, ALLOC_MEM, Alloc_mem)                     \
	WM_MPI_FORTRAN(X, alloc_mem_cptr, ALLOC_MEM_CPTR, Alloc_mem_cptr)      \
	WM_MPI_FORTRAN(X, free_mem, FREE_MEM, Free_mem)                        \
	WM_MPI_FORTRAN_TS(X, free_mem)                                         \
	WM_MPI_FORTRAN(X, win_allocate, WIN_ALLOCATE, Win_allocate)            \
	WM_MPI_FORTRAN(X, win_allocate_cptr, WIN_ALLOCATE_CPTR, Win_allocate_cptr)\
	WM_MPI_FORTRAN_LARGE(X, win_allocate)                                  \
	WM_MPI_FORTRAN(X, win_allocate_shared, WIN_ALLOCATE_SHARED,            \
		       Win_allocate_shared)                                    \
	WM_MPI_FORTRAN(X, win_allocate_shared_cptr,                            \
		       WIN_ALLOCATE_SHARED_CPTR, Win_allocate_shared_cptr)     \
	WM_MPI_FORTRAN_LARGE(X, win_allocate_shared)                           \
	WM_MPI_FORTRAN(X, win_free, WIN_FREE, Win_free)

/* The rows of wm/handle_list.h in each spelling. */
#define WM_HANDLE_FREED_NAMES(X, class, Name, NAME, name)                      \
	X(MPI_##Name, handle)                                                  \
	WM_MPI_FORTRAN(X, name, NAME, Name)
#define WM_HANDLE_ENDING_NAMES(X, Name, NAME, name, n, many)                   \
	X(MPI_##Name, handle)                                                  \
	WM_MPI_FORTRAN(X, name, NAME, Name)
#define WM_HANDLE_MADE_NAMES(X, class, number, Name, NAME, name, ...)          \
	X(MPI_##Name, handle)                                                  \
	WM_MPI_FORTRAN(X, name, NAME, Name)
#define WM_HANDLE_LAST_NAMES(X, class, number, Name, NAME, name, n)            \
	X(MPI_##Name, handle)                                                  \
	X(MPI_##Name##_c, handle)                                              \
	WM_MPI_FORTRAN(X, name, NAME, Name)                                    \
	WM_MPI_FORTRAN_TS(X, name)                                             \
	X(mpi_##name##_f08ts_large_, handle)                                   \
	WM_MPI_FORTRAN_LARGE(X, name)
#define WM_WRAP_HANDLES(X)                                                     \
	WM_HANDLE_LAST(WM_HANDLE_LAST_NAMES, X)                                \
	WM_HANDLE_MADE(WM_HANDLE_MADE_NAMES, X)                                \
	WM_HANDLE_NAMED(WM_HANDLE_MADE_NAMES, X)                               \
	WM_HANDLE_FREED(WM_HANDLE_FREED_NAMES, X)                              \
	WM_HANDLE_ENDING(WM_HANDLE_ENDING_NAMES, X)

#define WM_HDF5_NAME(X, name, ...) X(name, hdf5)
#define WM_HDF5_MADE_NAME(X, number, name, ...) X(name, hdf5)
#define WM_WRAP_HDF5(X)                                                        \
	WM_HDF5_IN_FILE(WM_HDF5_MADE_NAME, X)                                  \
	WM_HDF5_FREE(WM_HDF5_MADE_NAME, X)                                     \
	WM_HDF5_CLOSED(WM_HDF5_NAME, X)                                        \
	WM_HDF5_OTHER(WM_HDF5_NAME, X)
/* clang-format on */

/* The functions that wmcc looks for in static programs, beside MPI's. */
#define WM_WRAP_FOUND(X)                                                       \
	WM_WRAP_HEAP(X)                                                        \
	WM_WRAP_EXIT(X)                                                        \
	WM_WRAP_PROCESS(X)                                                     \
	WM_WRAP_SIZED(X)                                                       \
	WM_WRAP_MAP(X)                                                         \
	WM_WRAP_GROWTH(X)                                                      \
	WM_WRAP_PAGES(X)                                                       \
	WM_WRAP_START(X)                                                       \
	WM_WRAP_NEW(X)

#define WM_WRAP_LIST(X)                                                        \
	WM_WRAP_FOUND(X)                                                       \
	WM_WRAP_LOADER(X)                                                      \
	WM_WRAP_THREAD(X)                                                      \
	WM_WRAP_MPI(X)                                                         \
	WM_WRAP_HANDLES(X)                                                     \
	WM_WRAP_HDF5(X)

#endif
