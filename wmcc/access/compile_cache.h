/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hooked objects, kept from the compile to the link, each under the hash of its
 * plain object, in a folder of one user: WM_ACCESS_CACHE, or "access" in
 * WM_CACHE.  A folder that others may write to is not used.
 *
 * Several processes may use it at one time: files in it are complete, and are
 * added and removed only by rename and unlink.  One thread, may allocate.
 */
#ifndef WM_WMCC_COMPILE_CACHE_H
#define WM_WMCC_COMPILE_CACHE_H

#include <stdbool.h>

#include "wmcc/base/sha256.h"

struct wm_object_cache {
	char *dir;
	unsigned long long most; /* bytes of all objects */
};

/* Advice where a cache cannot be used. */
extern const char wm_cache_advice[];

/*
 * Find the folder, and make it if it is missing.  NULL, or why it cannot be
 * used (the caller frees it).
 */
char *wm_cache_open(struct wm_object_cache *c);
void wm_cache_release(struct wm_object_cache *c);

/* A new work folder in the cache, one at a time; NULL with errno.  It is
 * removed with its files by wm_cache_work_free(), or when the process ends. */
char *wm_cache_work(const struct wm_object_cache *c);
void wm_cache_work_free(char *work);
/* The same for reading objects: in TMPDIR where the cache is read-only. */
char *wm_cache_reading_work(const struct wm_object_cache *c);

/*
 * Keep the finished object @file, which is in a work folder, for the plain
 * object with the hash @plain.  Least recently used objects are removed where
 * they have too many bytes.  0, or -1 with errno.
 */
int wm_cache_keep(const struct wm_object_cache *c, const char *plain,
		  const char *file);

/* The object for @plain, verified byte by byte; NULL: there is none, or it was
 * damaged and is removed.  With a @work it is a link there, where possible: it
 * stays as long as the folder, even if others remove the object. */
char *wm_cache_find(const struct wm_object_cache *c, const char *plain,
		    const char *work);

/* Have objects possibly been removed for lack of space
 * (WM_ACCESS_CACHE_MAX)? */
bool wm_cache_is_full(const struct wm_object_cache *c);

/* Bytes behind the object in a file of the cache, which linkers ignore. */
#define WM_CACHE_TRAILER                                                       \
	(sizeof("\nwm-access 1  \n") - 1 + 2 * WM_SHA256_DIGITS)

#endif
