/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/history/history.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyze/lib/base/plain.h"
#include "analyze/lib/base/vec.h"
#include "input/path.h"
#include "wm/trace_format.h"

/* The directories of a year, a month, a day, a job and a step, and one more. */
#define LEVELS 6

static bool is_run(const char *path)
{
	const char *name = wm_basename(path);
	size_t n = strlen(name), m = strlen(WMT_DIR_SUFFIX);

	return n > m && strcmp(name + n - m, WMT_DIR_SUFFIX) == 0;
}

static enum wm_status add_run(struct wm_history *h, const char *path,
			      struct wm_err *err)
{
	struct wm_history_run *r = WM_MORE(h->run, h->cap, h->count);

	if (!r)
		return wm_no_memory(err, "the history");
	h->count++;
	r->before = r->since = r->lowest = WM_NO_RUN;
	r->path = strdup(path);
	r->shown = wm_plain(path, strlen(path));
	return r->path && r->shown ? WM_OK : wm_no_memory(err, "the history");
}

static enum wm_status look_into(struct wm_history *h, const char *dir,
				unsigned level, struct wm_err *err)
{
	const char *slash = *dir && dir[strlen(dir) - 1] != '/' ? "/" : "";
	enum wm_status s = WM_OK;
	DIR *d = opendir(dir);
	struct dirent *e;
	struct stat st;
	char *path;

	if (!d) /* unreadable directories below are no part of the history */
		return level ? WM_OK :
			       wm_err_set(err, WM_IO, "'%.200s': %s", dir,
					  strerror(errno));
	while (!s && (e = readdir(d))) {
		if (e->d_name[0] == '.')
			continue;
		if (asprintf(&path, "%s%s%s", dir, slash, e->d_name) < 0) {
			s = wm_no_memory(err, "the history");
			break;
		}
		/* a link may lead in a circle, or to a run that is found here
		 * anyway */
		if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
			if (is_run(path))
				s = add_run(h, path, err);
			else if (level < LEVELS)
				s = look_into(h, path, level + 1, err);
		}
		free(path);
	}
	closedir(d);
	return s;
}

enum wm_status wm_history_find(struct wm_history *h, const char *dir,
			       struct wm_err *err)
{
	return is_run(dir) ? add_run(h, dir, err) : look_into(h, dir, 0, err);
}
