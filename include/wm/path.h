/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files, for the commands and for the runtime. */
#ifndef WM_PATH_H
#define WM_PATH_H

/* The last component of a path, inside @path; empty behind a last slash. */
static inline const char *wm_basename(const char *path)
{
	const char *name = path;

	for (; *path; path++)
		if (*path == '/')
			name = path + 1;
	return name;
}

#endif
