/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The built-in folding rules (analyze/names/rules.h): X(group, kind, pattern).
 *
 * Archives tell most in static programs, libraries in dynamic ones; the names
 * are for programs without that knowledge, and for templates that the user's
 * own objects hold.  A user may well have a getline() or clone() of his own, so
 * such names only count where neither object file nor library is known (BARE).
 *
 * Included by rules.c alone.
 */
#ifndef WM_ANALYZE_RULES_LIST_H
#define WM_ANALYZE_RULES_LIST_H

#define WM_RULE_LIST(X)                                                \
	/* wmtools itself: the program does not know it */			\
	X(own, NAME, "__wrap_*")					\
	X(own, BARE, "wm_*")						\
	X(own, OBJECT, "wm-static.o")					\
	X(own, OBJECT, "wm-dynamic.o")					\
	X(own, LIBRARY, "libwmtrace.so*")				\
	/* MPI and what it is made of */				\
	X(mpi, OBJECT, "libmpi.a")					\
	X(mpi, OBJECT, "libmpi_*.a")					\
	X(mpi, OBJECT, "libmpi-*.a")					\
	X(mpi, OBJECT, "libmpich*.a")					\
	X(mpi, OBJECT, "libmpicxx*.a")					\
	X(mpi, OBJECT, "libmpifort*.a")					\
	X(mpi, OBJECT, "libpmpi*.a")					\
	X(mpi, OBJECT, "libfmpi*.a")					\
	X(mpi, OBJECT, "libmpl.a")					\
	X(mpi, OBJECT, "libopa.a")					\
	X(mpi, OBJECT, "libopen-pal*.a")				\
	X(mpi, OBJECT, "libopen-rte*.a")				\
	X(mpi, OBJECT, "libmca_*.a")					\
	X(mpi, OBJECT, "liboshmem*.a")					\
	X(mpi, OBJECT, "libompi*.a")					\
	X(mpi, OBJECT, "libprrte*.a")					\
	X(mpi, OBJECT, "libmvapich*.a")					\
	X(mpi, OBJECT, "libpmi.a")					\
	X(mpi, OBJECT, "libpmi2.a")					\
	X(mpi, OBJECT, "libpmix*.a")					\
	X(mpi, LIBRARY, "libmpi.so*")					\
	X(mpi, LIBRARY, "libmpi_*.so*")					\
	X(mpi, LIBRARY, "libmpi-*.so*")					\
	X(mpi, LIBRARY, "libmpich*.so*")				\
	X(mpi, LIBRARY, "libmpicxx*.so*")				\
	X(mpi, LIBRARY, "libmpifort*.so*")				\
	X(mpi, LIBRARY, "libpmpi*.so*")					\
	X(mpi, LIBRARY, "libfmpi*.so*")					\
	X(mpi, LIBRARY, "libopen-pal*.so*")				\
	X(mpi, LIBRARY, "libopen-rte*.so*")				\
	X(mpi, LIBRARY, "libmca_*.so*")					\
	X(mpi, LIBRARY, "mca_*.so*")					\
	X(mpi, LIBRARY, "liboshmem*.so*")				\
	X(mpi, LIBRARY, "libompi*.so*")					\
	X(mpi, LIBRARY, "libprrte*.so*")				\
	X(mpi, LIBRARY, "libmvapich*.so*")				\
	X(mpi, LIBRARY, "libpmi.so*")					\
	X(mpi, LIBRARY, "libpmi2.so*")					\
	X(mpi, LIBRARY, "libpmix*.so*")					\
	X(mpi, BARE, "MPI_*")						\
	X(mpi, BARE, "PMPI_*")						\
	X(mpi, BARE, "MPI?_*")						\
	X(mpi, BARE, "MPID?*_*")					\
	X(mpi, BARE, "mpi_*_")						\
	X(mpi, BARE, "pmpi_*_")						\
	X(mpi, BARE, "ompi_*")						\
	X(mpi, BARE, "opal_*")						\
	/* what MPI stands on, and others may use, too */		\
	X(mpi_base, OBJECT, "libhwloc*.a")				\
	X(mpi_base, OBJECT, "libucp.a")					\
	X(mpi_base, OBJECT, "libucs.a")					\
	X(mpi_base, OBJECT, "libuct.a")					\
	X(mpi_base, OBJECT, "libucm.a")					\
	X(mpi_base, OBJECT, "libfabric.a")				\
	X(mpi_base, OBJECT, "libinfinipath.a")				\
	X(mpi_base, OBJECT, "libpsm*.a")				\
	X(mpi_base, OBJECT, "libibverbs.a")				\
	X(mpi_base, OBJECT, "librdmacm.a")				\
	X(mpi_base, OBJECT, "libmlx*.a")				\
	X(mpi_base, OBJECT, "libnuma.a")				\
	X(mpi_base, OBJECT, "libevent*.a")				\
	X(mpi_base, OBJECT, "libpciaccess.a")				\
	X(mpi_base, OBJECT, "libyaksa*.a")				\
	X(mpi_base, OBJECT, "libportals*.a")				\
	X(mpi_base, LIBRARY, "libhwloc*.so*")				\
	X(mpi_base, LIBRARY, "libucp.so*")				\
	X(mpi_base, LIBRARY, "libucs.so*")				\
	X(mpi_base, LIBRARY, "libuct*.so*")				\
	X(mpi_base, LIBRARY, "libucm*.so*")				\
	X(mpi_base, LIBRARY, "libfabric.so*")				\
	X(mpi_base, LIBRARY, "libinfinipath.so*")			\
	X(mpi_base, LIBRARY, "libpsm*.so*")				\
	X(mpi_base, LIBRARY, "libibverbs.so*")				\
	X(mpi_base, LIBRARY, "librdmacm.so*")				\
	X(mpi_base, LIBRARY, "libmlx*.so*")				\
	X(mpi_base, LIBRARY, "libnuma.so*")				\
	X(mpi_base, LIBRARY, "libevent*.so*")				\
	X(mpi_base, LIBRARY, "libpciaccess.so*")			\
	X(mpi_base, LIBRARY, "libyaksa*.so*")				\
	X(mpi_base, LIBRARY, "libportals*.so*")				\
	X(mpi_base, BARE, "hwloc_*")					\
	X(mpi_base, BARE, "ucp_*")					\
	X(mpi_base, BARE, "ucs_*")					\
	X(mpi_base, BARE, "uct_*")					\
	X(allocator, NAME, "malloc")					\
	X(allocator, NAME, "calloc")					\
	X(allocator, NAME, "realloc")					\
	X(allocator, NAME, "reallocarray")				\
	X(allocator, NAME, "posix_memalign")				\
	X(allocator, NAME, "aligned_alloc")				\
	X(allocator, NAME, "memalign")					\
	X(allocator, NAME, "valloc")					\
	X(allocator, NAME, "pvalloc")					\
	X(allocator, OBJECT, "libjemalloc*.a")				\
	X(allocator, OBJECT, "libtcmalloc*.a")				\
	X(allocator, OBJECT, "libmimalloc*.a")				\
	X(allocator, LIBRARY, "libjemalloc*.so*")			\
	X(allocator, LIBRARY, "libtcmalloc*.so*")			\
	X(allocator, LIBRARY, "libmimalloc*.so*")			\
	X(libc, OBJECT, "libc.a")					\
	X(libc, OBJECT, "libc_nonshared.a")				\
	X(libc, OBJECT, "libm.a")					\
	X(libc, OBJECT, "libm-[0-9]*.a")				\
	X(libc, OBJECT, "libpthread.a")					\
	X(libc, OBJECT, "libdl.a")					\
	X(libc, OBJECT, "librt.a")					\
	X(libc, OBJECT, "crt[1in].o")					\
	X(libc, OBJECT, "[rg]crt1.o")					\
	X(libc, OBJECT, "Scrt1.o")					\
	X(libc, LIBRARY, "libc.so*")					\
	X(libc, LIBRARY, "libc-[0-9]*.so")				\
	X(libc, LIBRARY, "libm.so*")					\
	X(libc, LIBRARY, "libpthread*.so*")				\
	X(libc, LIBRARY, "libdl*.so*")					\
	X(libc, LIBRARY, "librt*.so*")					\
	X(libc, LIBRARY, "ld-linux*")					\
	X(libc, LIBRARY, "ld-musl*")					\
	X(libc, LIBRARY, "ld-[0-9]*.so")				\
	X(libc, NAME, "_IO_*")						\
	X(libc, NAME, "__libc_*")					\
	X(libc, NAME, "_dl_*")						\
	X(libc, NAME, "_nl_*")						\
	X(libc, NAME, "_start")						\
	X(libc, BARE, "strdup")						\
	X(libc, BARE, "strndup")					\
	X(libc, BARE, "wcsdup")						\
	X(libc, BARE, "__strdup")					\
	X(libc, BARE, "__strndup")					\
	X(libc, BARE, "asprintf")					\
	X(libc, BARE, "vasprintf")					\
	X(libc, BARE, "__asprintf*")					\
	X(libc, BARE, "__vasprintf*")					\
	X(libc, BARE, "getline")					\
	X(libc, BARE, "getdelim")					\
	X(libc, BARE, "__getline")					\
	X(libc, BARE, "__getdelim")					\
	X(libc, BARE, "fopen")						\
	X(libc, BARE, "fopen64")					\
	X(libc, BARE, "fdopen")						\
	X(libc, BARE, "__fopen_internal")				\
	X(libc, BARE, "open_memstream")					\
	X(libc, BARE, "opendir")					\
	X(libc, BARE, "__alloc_dir")					\
	X(libc, BARE, "realpath")					\
	X(libc, BARE, "getcwd")						\
	X(libc, BARE, "qsort")						\
	X(libc, BARE, "qsort_r")					\
	X(libc, BARE, "__qsort_r")					\
	X(libc, BARE, "pthread_create*")				\
	X(libc, BARE, "__pthread_create*")				\
	X(libc, BARE, "allocate_stack")					\
	X(libc, BARE, "start_thread")					\
	X(libc, BARE, "dlopen*")					\
	X(libc, BARE, "dlmopen")					\
	X(libc, BARE, "dlclose")					\
	X(libc, BARE, "clone")						\
	X(libc, BARE, "clone3")						\
	X(libc, BARE, "__clone3")					\
	X(cxx, NAME, "_Zn[wa]*")					\
	X(cxx, OBJECT, "libstdc++.a")					\
	X(cxx, OBJECT, "libsupc++.a")					\
	X(cxx, OBJECT, "libc++*.a")					\
	X(cxx, OBJECT, "libgcc.a")					\
	X(cxx, OBJECT, "libgcc_eh.a")					\
	X(cxx, LIBRARY, "libstdc++.so*")				\
	X(cxx, LIBRARY, "libc++*.so*")					\
	X(cxx, LIBRARY, "libgcc_s.so*")					\
	X(cxx, NAME, "_ZSt*")						\
	X(cxx, NAME, "_ZNSt*")						\
	X(cxx, NAME, "_ZNKSt*")						\
	X(cxx, NAME, "_ZN[OR]St*")					\
	X(cxx, NAME, "_ZNS[absiod]*")					\
	X(cxx, NAME, "_ZNKS[absiod]*")					\
	X(cxx, NAME, "_ZZNSt*")						\
	X(cxx, NAME, "_ZZNKSt*")					\
	X(cxx, NAME, "_ZZSt*")						\
	X(cxx, NAME, "_ZN9__gnu_cxx*")					\
	X(cxx, NAME, "_ZNK9__gnu_cxx*")					\
	X(cxx, NAME, "_ZN10__cxxabiv1*")				\
	X(cxx, NAME, "std::*")						\
	X(cxx, NAME, "__gnu_cxx::*")					\
	X(cxx, NAME, "__cxa_*")						\
	X(cxx, NAME, "__gxx_*")						\
	X(fortran, OBJECT, "libgfortran.a")				\
	X(fortran, OBJECT, "libquadmath.a")				\
	X(fortran, OBJECT, "libcaf_single.a")				\
	X(fortran, LIBRARY, "libgfortran.so*")				\
	X(fortran, LIBRARY, "libquadmath.so*")				\
	X(fortran, NAME, "_gfortran_*")					\
	X(fortran, NAME, "_gfortrani_*")					\
	/* the program's own */						\
	X(wrapper, FORWARD, "*")

#endif
