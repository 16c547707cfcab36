/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps hooked objects from the compile to the link, each under the hash of its
 * plain object, in a folder of one user: WM_ACCESS_CACHE, or "access" in
 * WM_CACHE.  A folder to which others may write is not used.
 *
 * Several processes may use the cache at the same time: files in the cache are
 * complete, and are added and removed only by rename and unlink.  One thread,
 * may allocate.
 */
#pragma once

#include <stdbool.h>

#include "wmcc/base/sha256.h"

struct wm_object_cache {
	char *dir;
	unsigned long long most; /* bytes of all objects */
};

/* Advice to print when a cache cannot be used. */
extern const char wm_cache_advice[];

/*
 * Finds the folder, and makes it if it is missing.  Returns NULL, or the reason
 * why it cannot be used, which the caller frees.
 */
char *wm_cache_open(struct wm_object_cache *c);
void wm_cache_release(struct wm_object_cache *c);

/* Returns a new work folder in the cache, or NULL with errno.  There may be one
 * such folder at a time.  wm_cache_work_free() removes it with its files, as
 * does the end of the process. */
char *wm_cache_work(const struct wm_object_cache *c);
void wm_cache_work_free(char *work);
/* Returns a work folder for reading objects; it is in TMPDIR if the cache is
 * read-only. */
char *wm_cache_reading_work(const struct wm_object_cache *c);

/*
 * Keeps the finished object @file, which is in a work folder, for the plain
 * object with the hash @plain.  If objects have too many bytes, those used
 * least recently are removed.  Returns 0, or -1 with errno.
 */
int wm_cache_keep(const struct wm_object_cache *c, const char *plain,
		  const char *file);

/* Returns the path of the object for @plain, after each byte of the object was
 * verified.  Returns NULL if there is none, or if it was damaged; then it is
 * removed. With @work, the path is a link in that folder, where possible, which
 * stays as long as the folder, even if another process removes the object. */
char *wm_cache_find(const struct wm_object_cache *c, const char *plain,
		    const char *work);

/* Whether objects may have been removed for lack of space
 * (WM_ACCESS_CACHE_MAX). */
bool wm_cache_is_full(const struct wm_object_cache *c);

/* Bytes after the object in a file of the cache; linkers ignore them. */
#define WM_CACHE_TRAILER                                                       \
	(sizeof("\nwm-access 1  \n") - 1 + 2 * WM_SHA256_DIGITS)
