/* SPDX-License-Identifier: Apache-2.0 */
/* The objects that are linked only into programs that need them. */
#pragma once

/* Defined by the MPI shim's object; its address is NULL without it. */
extern const char wm_mpi_present __attribute__((weak));
/* Likewise.  Its address is not NULL if the program lacks the wrappers of calls
 * that make and free handles of MPI. */
extern const char wm_handles_unseen __attribute__((weak));
