/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files. */
#ifndef WM_PATH_H
#define WM_PATH_H

#include "wm/trace_format.h"

/* Returns the last component of a path, inside @path.  It is empty if the path
 * ends with a slash. */
static inline const char *wm_basename(const char *path)
{
	const char *name = path;

	for (; *path; path++)
		if (*path == '/')
			name = path + 1;
	return name;
}

/* Returns whether @name is a directory with ranks inside a run directory. */
static inline int wm_is_ranks_dir(const char *name)
{
	const char *p = WMT_RANKS_PREFIX;

	while (*p && *p == *name)
		p++, name++;
	return !*p;
}

#endif
