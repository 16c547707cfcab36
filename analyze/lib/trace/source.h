/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes of a file that may be looked at in any order.
 *
 * Read with pread(), not mapped: a file that shrinks or a disk that fails
 * while it is read must be an error, not SIGBUS.  One user at a time per
 * source; several sources may share a descriptor (wm_source_share).
 */
#ifndef WM_ANALYZE_SOURCE_H
#define WM_ANALYZE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"

struct wm_source {
	int fd; /* -1: not open */
	bool shared; /* the descriptor is somebody else's */
	uint64_t size;
	uint8_t *buf; /* holds [at, at + have) of the file */
	size_t cap;
	uint64_t at;
	size_t have;
};

#define WM_SOURCE_INIT                                                         \
	{                                                                      \
		.fd = -1                                                       \
	}

/* The reason in @err does not name the file; callers do. */
enum wm_status wm_source_open(struct wm_source *s, const char *path,
			      struct wm_err *err);
/* A second source with a buffer of its own on the same open file. */
void wm_source_share(struct wm_source *s, const struct wm_source *of);
/* Give up what has been looked at; the next view reads it again. */
void wm_source_forget(struct wm_source *s);
void wm_source_release(struct wm_source *s);

/*
 * Set *@p to the @len bytes at @offset; they stay until the next view.  Ends
 * in WM_BAD_INPUT when the file is shorter.
 */
enum wm_status wm_source_view(struct wm_source *s, uint64_t offset, size_t len,
			      const uint8_t **p, struct wm_err *err);

#endif
