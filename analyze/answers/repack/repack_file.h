/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --repack: replaces one trace file safely.
 *
 * The new file is called `.NAME.repack`, in the same directory, until it has
 * been compared with the original and is on the disk; only then it takes the
 * original's name.  An interrupted run leaves that file, and the next run
 * overwrites it.  Any number of threads may repack, each its own file.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"

struct wm_repacked {
	uint64_t before, after; /* bytes */
	bool skipped; /* it is repacked already */
	bool larger; /* it would not be smaller: left as it is */
	struct wm_err damage; /* the damage of the part that stays as it is */
};

/*
 * Repacks @path, called @name in messages, to @to, or in its place if @to is
 * NULL.  The original is left untouched unless WM_OK is returned.
 */
enum wm_status wm_repack_file(const char *path, const char *name,
			      const char *to, struct wm_repacked *done,
			      struct wm_err *err);

/*
 * Copies the regular file @name of folder @dir to @to, which must not exist.
 * No link is followed.  Messages call the file @from.
 */
enum wm_status wm_repack_copy(int dir, const char *name, const char *from,
			      const char *to, struct wm_err *err);
