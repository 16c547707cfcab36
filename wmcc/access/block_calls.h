/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a hooked object call memcpy, strlen and similar functions, and MPI, by
 * names of ours (wm/block_list.h, wm/mpi_list.h), so that only calls from
 * hooked objects are recorded. */
#pragma once

/* Returns 0; 1 if @path is no ELF64 object with a symbol table, and stays
 * unchanged; or -1 with errno. */
int wm_block_calls_rename(const char *path);
