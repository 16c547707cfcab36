/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a hooked object call memcpy, strlen and similar functions, and MPI,
 * under names of ours (wm/block_list.h, wm/mpi_list.h).  So the calls from
 * hooked objects are recorded, and calls from other objects are not.  May
 * allocate.
 */
#pragma once

/*
 * Renames the references to functions of the list in the object @path.  Returns
 * 0; 1 if the file is not an ELF64 object with a symbol table, and is left
 * unchanged; or -1 with errno.
 */
int wm_block_calls_rename(const char *path);
