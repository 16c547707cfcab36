/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that work on a block of bytes or on a string, and whose calls
 * in hooked objects are recorded.
 *
 * WM_BLOCK_LIST(X) expands X(NAME) once per function.  wmcc makes each
 * reference of a hooked object to NAME a reference to WM_BLOCK_PREFIX NAME,
 * which the runtime defines.  Hooked objects in a cache may be older than the
 * runtime, so names are never removed from this list.
 */
#ifndef WM_BLOCK_LIST_H
#define WM_BLOCK_LIST_H

#define WM_BLOCK_PREFIX "wm_access_"

#define WM_BLOCK_LIST(X)                                                       \
	X(memcpy)                                                              \
	X(memmove)                                                             \
	X(mempcpy)                                                             \
	X(memset)                                                              \
	X(memcmp)                                                              \
	X(bcmp)                                                                \
	X(memchr)                                                              \
	X(strlen)                                                              \
	X(strnlen)                                                             \
	X(strcpy)                                                              \
	X(stpcpy)                                                              \
	X(strncpy)                                                             \
	X(strcat)                                                              \
	X(strncat)                                                             \
	X(strcmp)                                                              \
	X(strncmp)                                                             \
	X(strchr)                                                              \
	X(strrchr)                                                             \
	X(strdup)                                                              \
	X(__memcpy_chk)                                                        \
	X(__memmove_chk)                                                       \
	X(__mempcpy_chk)                                                       \
	X(__memset_chk)                                                        \
	X(__strcpy_chk)                                                        \
	X(__stpcpy_chk)                                                        \
	X(__strncpy_chk)                                                       \
	X(__strcat_chk)                                                        \
	X(__strncat_chk)

#endif
