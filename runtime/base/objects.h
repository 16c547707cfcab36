/* SPDX-License-Identifier: Apache-2.0 */
/* The objects that are linked only into programs that need them. */
#pragma once

/* Defined by the MPI shim's object; its address is NULL without it. */
extern const char wm_mpi_present __attribute__((weak));
/* Defined only if the program lacks the wrappers of calls that make and free
 * handles of MPI; otherwise its address is NULL. */
extern const char wm_handles_unseen __attribute__((weak));
