/* SPDX-License-Identifier: Apache-2.0 */
/* MPI calls of mpif.h and of the module mpi, whose names in the object end with
 * one underscore, and of Open MPI's mpi_f08 (wm/mpi_list.h). */
#include "runtime/access/mpi_in_fortran.h"
#include "wm/mpi_list.h"

#define DATA(x) (x)
#define NUMBER int
#define WIDTH narrow

#define NOW(Name, name, parameters, arguments, plan)                           \
	CALL(mpi_##name##_, parameters, arguments, plan)                       \
	CALL(mpi_##name##_f08_, parameters, arguments, plan)

WM_MPI_CALLS
WM_MPI_SHORT(NOW)

/* Fails to compile if a function of the list is missing. */
#define IS_HERE(Name, name)                                                    \
	(void)wm_access_mpi_##name##_;                                         \
	(void)wm_access_mpi_##name##_f08_;
static void __attribute__((unused)) have_all(void)
{
	WM_MPI_LIST(IS_HERE)
}
