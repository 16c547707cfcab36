/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where hooked objects are kept from the compile to the link, each under the
 * hash of its plain object.  Below one user's folder: WM_ACCESS_CACHE, or
 * "access" in WM_CACHE.  A folder that others may write to is not used.
 *
 * Several processes may use it at one time: what is there is whole, and comes
 * and goes by rename and unlink alone.  One thread, may allocate.
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

/* A new folder in the cache's, to work in, one at a time; NULL with errno.  It
 * goes with all that is in it with wm_cache_room_free(), or when we end. */
char *wm_cache_room(const struct wm_object_cache *c);
void wm_cache_room_free(char *room);
/* The same, to read what is in the cache: in TMPDIR where that cannot be
 * written to. */
char *wm_cache_reading_room(const struct wm_object_cache *c);

/*
 * Keep the finished object @file, which lies in a room, as the one of the
 * plain object whose hash is @plain.  The least recently used go where there
 * are too many bytes.  0, or -1 with errno.
 */
int wm_cache_keep(const struct wm_object_cache *c, const char *plain,
		  const char *file);

/* The one of @plain, looked at byte by byte; NULL: there is none, or it is
 * damaged and was removed.  With a @room it is a name there, where possible: it
 * stays as long as the room, although others may let the object go. */
char *wm_cache_find(const struct wm_object_cache *c, const char *plain,
		    const char *room);

/* Objects that were kept may have gone for want of space
 * (WM_ACCESS_CACHE_MAX). */
bool wm_cache_is_full(const struct wm_object_cache *c);

/* Bytes behind the object in a file of the cache; linkers do not mind. */
#define WM_CACHE_TRAILER                                                       \
	(sizeof("\nwm-access 1  \n") - 1 + 2 * WM_SHA256_DIGITS)

#endif
