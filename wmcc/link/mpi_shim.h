/* SPDX-License-Identifier: Apache-2.0 */
/*
 * WM_MPICC: the MPI shim made for the program's own MPI, with its compiler and
 * its <mpi.h>, from the sources that are installed beside the runtime.
 *
 * One thread, may allocate; strings belong to this module.
 */
#ifndef WM_WMCC_MPI_SHIM_H
#define WM_WMCC_MPI_SHIM_H

#include <stdbool.h>

#include "wmcc/link/program_info.h"

/* The compiler in WM_MPICC; NULL: it is not set. */
const char *wm_mpi_compiler(void);

/*
 * Compile the shim that defines the functions (@dynamic) or wraps them.
 * Returns NULL and *@object, which is removed when we end, or why not: an <mpi.h>
 * that is not of the program's @mpi is a reason.
 */
const char *wm_mpi_compile(bool dynamic, enum wm_mpi_abi mpi,
			   const char **object);

#endif
