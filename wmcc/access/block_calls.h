/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hooked object calls memcpy, strlen and the like, and MPI, under names of
 * ours (wm/block_list.h, wm/mpi_list.h): these calls are recorded, those from
 * other objects are not.  May allocate.
 */
#ifndef WM_WMCC_BLOCK_CALLS_H
#define WM_WMCC_BLOCK_CALLS_H

/*
 * Rename the references to functions of the list in the object @path.  0; 1:
 * the file is not an ELF64 object with a symbol table, and is left unchanged;
 * or -1 with errno.
 */
int wm_block_calls_rename(const char *path);

#endif
