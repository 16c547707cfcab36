/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The built-in folding rules.  Included only by rules.c.
 *
 * Archives decide most in static programs, libraries in dynamic programs.
 * Rules by name are for programs without that information, and for templates in
 * the user's own objects.  A user may have a getline() or clone(), so a rule
 * for such a name is BARE: it counts only if neither object file nor library is
 * known.
 */
#pragma once

#include "analyze/symbols/rules.h"

#define RULES(group, kind, patterns)                                           \
	{                                                                      \
		WM_GROUP_##group, WM_RULE_##kind, patterns                     \
	}

static const struct {
	enum wm_group group;
	enum wm_rule_kind kind;
	const char *patterns; /* separated by blanks */
} builtin[] = {
	RULES(own, NAME, "__wrap_* wmreal_*"),
	RULES(own, BARE, "wm_*"),
	RULES(own, OBJECT, "wm-static.o wm-dynamic.o"),
	RULES(own, LIBRARY, "libwmtrace.so*"),
	RULES(mpi, OBJECT,
	      "libmpi.a libmpi_*.a libmpi-*.a libmpich*.a libmpicxx*.a "
	      "libmpifort*.a libpmpi*.a libfmpi*.a libmpl.a libopa.a "
	      "libopen-pal*.a libopen-rte*.a libmca_*.a liboshmem*.a "
	      "libompi*.a libprrte*.a libmvapich*.a libpmi.a libpmi2.a "
	      "libpmix*.a"),
	RULES(mpi, LIBRARY,
	      "libmpi.so* libmpi_*.so* libmpi-*.so* libmpich*.so* "
	      "libmpicxx*.so* libmpifort*.so* libpmpi*.so* libfmpi*.so* "
	      "libopen-pal*.so* libopen-rte*.so* libmca_*.so* mca_*.so* "
	      "liboshmem*.so* libompi*.so* libprrte*.so* libmvapich*.so* "
	      "libpmi.so* libpmi2.so* libpmix*.so*"),
	RULES(mpi, BARE,
	      "MPI_* PMPI_* MPI?_* MPID?*_* mpi_*_ pmpi_*_ ompi_* opal_*"),
	/* libraries below MPI, which others may use, too */
	RULES(mpi_base, OBJECT,
	      "libhwloc*.a libucp.a libucs.a libuct.a libucm.a libfabric.a "
	      "libinfinipath.a libpsm*.a libibverbs.a librdmacm.a "
	      "libmlx*.a libnuma.a libevent*.a libpciaccess.a libyaksa*.a "
	      "libportals*.a"),
	RULES(mpi_base, LIBRARY,
	      "libhwloc*.so* libucp.so* libucs.so* libuct*.so* libucm*.so* "
	      "libfabric.so* libinfinipath.so* libpsm*.so* libibverbs.so* "
	      "librdmacm.so* libmlx*.so* libnuma.so* libevent*.so* "
	      "libpciaccess.so* libyaksa*.so* libportals*.so*"),
	/* plugins of hwloc, which ask X11 and OpenCL for devices */
	RULES(mpi_base, LIBRARY,
	      "hwloc_*.so* libltdl.so* libOpenCL.so* libXNVCtrl.so* "
	      "libX11.so* libXext.so* libXau.so* libXdmcp.so* libxcb.so*"),
	RULES(mpi_base, BARE, "hwloc_* ucp_* ucs_* uct_*"),
	RULES(allocator, NAME,
	      "malloc calloc realloc reallocarray posix_memalign "
	      "aligned_alloc memalign valloc pvalloc"),
	/* OpenMP's functions that allocate for their caller */
	RULES(allocator, NAME,
	      "omp_alloc omp_calloc omp_realloc omp_aligned_alloc "
	      "omp_aligned_calloc GOMP_alloc kmp_malloc kmp_calloc "
	      "kmp_realloc kmp_aligned_malloc __kmpc_alloc __kmpc_calloc "
	      "__kmpc_realloc __kmpc_aligned_alloc"),
	RULES(allocator, OBJECT,
	      "libjemalloc*.a libtcmalloc*.a libmimalloc*.a"),
	RULES(allocator, LIBRARY,
	      "libjemalloc*.so* libtcmalloc*.so* libmimalloc*.so*"),
	RULES(openmp, OBJECT, "libgomp*.a libomp*.a libiomp*.a"),
	RULES(openmp, LIBRARY, "libgomp*.so* libomp*.so* libiomp*.so*"),
	RULES(openmp, BARE, "GOMP_* gomp_* __kmp_* __kmpc_*"),
	RULES(libc, OBJECT,
	      "libc.a libc_nonshared.a libm.a libm-[0-9]*.a libpthread.a "
	      "libdl.a librt.a crt[1in].o [rg]crt1.o Scrt1.o"),
	RULES(libc, LIBRARY,
	      "libc.so* libc-[0-9]*.so libm.so* libpthread*.so* libdl*.so* "
	      "librt*.so* ld-linux* ld-musl* ld-[0-9]*.so"),
	RULES(libc, NAME, "_IO_* __libc_* _dl_* _nl_* _start"),
	RULES(libc, BARE,
	      "strdup strndup wcsdup __strdup __strndup asprintf vasprintf "
	      "__asprintf* __vasprintf* getline getdelim __getline "
	      "__getdelim fopen fopen64 fdopen __fopen_internal "
	      "open_memstream opendir __alloc_dir realpath getcwd qsort "
	      "qsort_r __qsort_r pthread_create* __pthread_create* "
	      "allocate_stack start_thread dlopen* dlmopen dlclose clone "
	      "clone3 __clone3"),
	RULES(cxx, NAME, "_Zn[wa]*"),
	RULES(cxx, OBJECT,
	      "libstdc++.a libsupc++.a libc++*.a libgcc.a libgcc_eh.a"),
	RULES(cxx, LIBRARY, "libstdc++.so* libc++*.so* libgcc_s.so*"),
	RULES(cxx, NAME,
	      "_ZSt* _ZNSt* _ZNKSt* _ZN[OR]St* _ZNS[absiod]* "
	      "_ZNKS[absiod]* _ZZNSt* _ZZNKSt* _ZZSt* _ZN9__gnu_cxx* "
	      "_ZNK9__gnu_cxx* _ZN10__cxxabiv1* std::* __gnu_cxx::* "
	      "__cxa_* __gxx_*"),
	RULES(fortran, OBJECT, "libgfortran.a libquadmath.a libcaf_single.a"),
	RULES(fortran, LIBRARY, "libgfortran.so* libquadmath.so*"),
	RULES(fortran, NAME, "_gfortran_* _gfortrani_*"),
	RULES(wrapper, FORWARD, "*"),
};
