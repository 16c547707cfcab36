/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that map memory, defined by a dynamic program of ours, get the
 * version that libc's have, and are not the default one of their name.
 * Libraries that call them reach them as before; who asks by dlsym() gets
 * libc's, as without us.  UCX and Open MPI ask so for the function over whose
 * beginning they write a jump: they would write over ours, and nothing would be
 * recorded from then on.
 *
 * Changes a file in its place; one thread.
 */
#ifndef WM_WMCC_LIBC_VERSIONS_H
#define WM_WMCC_LIBC_VERSIONS_H

/* NULL, or why @path cannot be changed.  A file that is not ELF, or whose C
 * library has no versions, as musl, stays as it is. */
const char *wm_libc_versions_set(const char *path);

#endif
