/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that are linked only into programs that need them. */
#pragma once

/* Defined by the object of the MPI shim; else its address is NULL. */
extern const char wm_mpi_present __attribute__((weak));
/* Defined if the program lacks the wrappers of calls that make and free handles
 * of MPI; else its address is NULL. */
extern const char wm_handles_unseen __attribute__((weak));
