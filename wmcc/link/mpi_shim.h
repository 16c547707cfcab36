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

/* The compiler in WM_MPICC; NULL: it is not set. */
const char *wm_mpi_compiler(void);

/*
 * Compile the shim that defines the functions (@dynamic) or wraps them.
 * Returns NULL and *@object, which is removed when we end, or why not.
 */
const char *wm_mpi_compile(bool dynamic, const char **object);

#endif
