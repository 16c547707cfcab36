/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hooked object calls memcpy, strlen and the like, and MPI, under names of
 * ours (wm/block_list.h, wm/mpi_list.h), so that these calls are recorded, and those of everybody
 * else are not.  May allocate.
 */
#ifndef WM_WMCC_BLOCK_CALLS_H
#define WM_WMCC_BLOCK_CALLS_H

/*
 * Rename the references to functions of the list in the object @path.  An
 * object of another class than ELF64 stays as it is.  0, or -1 with errno.
 */
int wm_block_calls_rename(const char *path);

#endif
