/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps hooked objects from the compile to the link, each under the hash of its
 * plain object, in a folder of one user: WM_ACCESS_CACHE, or "access" in
 * WM_CACHE.  Several processes may use the cache: its files are complete, and
 * are added and removed only by rename and unlink.
 */
#pragma once

#include <stdbool.h>

#include "wmcc/base/sha256.h"

struct wm_object_cache {
	char *dir;
	unsigned long long most; /* bytes of all objects */
};

extern const char wm_cache_advice[];

/* Returns NULL, or the reason why the cache cannot be used, which the caller
 * frees. */
char *wm_cache_open(struct wm_object_cache *c);
void wm_cache_release(struct wm_object_cache *c);

/* Returns a new work folder in the cache, or NULL with errno.  Only one may
 * exist at a time; it is removed at the end of the process. */
char *wm_cache_work(const struct wm_object_cache *c);
void wm_cache_work_free(char *work);
/* The folder is in TMPDIR if the cache is read-only. */
char *wm_cache_reading_work(const struct wm_object_cache *c);

/* Moves the finished hooked object @file into the cache, for the plain object
 * with the hash @plain.  Removes the least recently used objects beyond the
 * limit.  Returns 0, or -1 with errno. */
int wm_cache_keep(const struct wm_object_cache *c, const char *plain,
		  const char *file);

/* Verifies the object for @plain, and returns its path, or NULL if there is
 * none, or if it was damaged and removed.  If possible, the path is a link in
 * @work (or NULL), which stays even if another process removes the object. */
char *wm_cache_find(const struct wm_object_cache *c, const char *plain,
		    const char *work);

/* Returns whether objects may have been removed (WM_ACCESS_CACHE_MAX). */
bool wm_cache_is_full(const struct wm_object_cache *c);

/* Bytes that follow an object in the cache; linkers ignore them. */
#define WM_CACHE_TRAILER                                                       \
	(sizeof("\nwm-access 1  \n") - 1 + 2 * WM_SHA256_DIGITS)
