/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/link/mpi_libs.h"

#include <fnmatch.h>
#include <stddef.h>

/*
 * Patterns; the first match counts.
 *   libmpi.so.12    MPICH since 3.1, Intel MPI 5 and later, MVAPICH,
 *                   ParaStation; but Open MPI 1.10 as well
 *   libmpi.so.4, 5  Intel MPI 4 and the name that 5 kept for it
 *   libmpi_X.so.12  Cray MPICH, X: cray, gnu_123, intel, amd, aocc, nvidia;
 *                   Intel's _mt, _dbg and _ilp64
 *   libmpich.so.N   MPICH2, MPICH 3.0, MVAPICH2 1.9; Debian's MPICH has .12
 *   libmpi.so.N     Open MPI: 0 (1.2 to 1.4, and Fujitsu's), 1 (1.5 to 1.8),
 *                   20 (2.x), 40 (3.x to 6.x, and Bull's, NVIDIA's)
 *   libmpi.so       HPE MPT: the library itself has no version
 *   libpcmpi, libmpio  Platform MPI, formerly HP-MPI, whose libmpi.so.1
 *                   is not Open MPI's; C programs refer to hpmp_*, too
 */
static const struct {
	const char *name;
	enum wm_mpi_lib lib;
} names[] = {
	{ "libmpi_abi*", WM_MPI_LIB_STANDARD },
	{ "libmpi_mpifh*", WM_MPI_LIB_OMPI_SURE },
	{ "libmpi_usempi*", WM_MPI_LIB_OMPI_SURE },
	{ "libmpi_f77.so*", WM_MPI_LIB_OMPI_SURE },
	{ "libmpi_f90.so*", WM_MPI_LIB_OMPI_SURE },
	{ "libmpi_cxx.so*", WM_MPI_LIB_OMPI_SURE },
	{ "libmpi_ibm*", WM_MPI_LIB_OMPI_SURE },
	{ "libopen-rte.so*", WM_MPI_LIB_OMPI_SURE },
	{ "libopen-pal.so*", WM_MPI_LIB_OMPI_SURE },
	{ "libmpi.so", WM_MPI_LIB_OTHER },
	{ "libmpi_mt.so", WM_MPI_LIB_OTHER },
	{ "libxmpi.so", WM_MPI_LIB_OTHER },
	{ "libmpio.so*", WM_MPI_LIB_OTHER },
	{ "libpcmpi.so*", WM_MPI_LIB_OTHER },
	{ "libmpitrampoline*", WM_MPI_LIB_OTHER },
	/* MPICH 1, whose handles are small integers */
	{ "libmpich.so.1.0*", WM_MPI_LIB_OTHER },
	{ "libmpi.so.[45]", WM_MPI_LIB_MPICH },
	{ "libmpi_mt.so.[45]", WM_MPI_LIB_MPICH },
	/* the partners of MPICH's ABI agreed on this name */
	{ "libmpi*.so.12", WM_MPI_LIB_MPICH },
	{ "libmpich*", WM_MPI_LIB_MPICH },
	{ "libfmpich*", WM_MPI_LIB_MPICH },
	{ "libmpi.so.[0-9]*", WM_MPI_LIB_OMPI },
};

enum wm_mpi_lib wm_mpi_lib_of(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (fnmatch(names[i].name, name, 0) == 0)
			return names[i].lib;
	return WM_MPI_LIB_NONE;
}
