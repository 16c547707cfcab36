/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that others name (a trace its executable and libraries, these their
 * debug information), for wm-analyze and wmcc: only regular ones are opened.
 * Opening a pipe would wait for somebody to write, and opening a device may do
 * something.
 */
#ifndef WM_REGULAR_H
#define WM_REGULAR_H

/* A descriptor for reading, or -1 with errno; EINVAL: not a regular file. */
int wm_regular_open(const char *path);

#endif
