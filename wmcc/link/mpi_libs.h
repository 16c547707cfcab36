/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the MPI to which a shared library belongs, by the name in DT_NEEDED. */
#pragma once

enum wm_mpi_lib {
	WM_MPI_LIB_NONE, /* not a library of a known MPI */
	WM_MPI_LIB_MPICH, /* ABI of MPICH, unless more is known */
	WM_MPI_LIB_OMPI, /* Open MPI, unless more is known */
	WM_MPI_LIB_OMPI_SURE, /* only Open MPI and MPIs derived from it */
	WM_MPI_LIB_STANDARD, /* the ABI of the MPI-5 standard */
	WM_MPI_LIB_OTHER, /* an ABI of its own */
};

enum wm_mpi_lib wm_mpi_lib_of(const char *name);
