/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of a file, readable in any order, with pread(): if the file shrinks or
 * the disk fails, the result must be an error, not SIGBUS.  One user at a time
 * per source; several sources may share a descriptor. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"

struct wm_source {
	int fd; /* -1: not open */
	bool shared; /* the descriptor is of another source */
	uint64_t size;
	uint8_t *buf; /* [at, at + have) of the file */
	size_t cap;
	uint64_t at;
	size_t have;
};

#define WM_SOURCE_INIT                                                         \
	{                                                                      \
		.fd = -1                                                       \
	}

/* The reason in @err lacks the file's name; callers add it. */
enum wm_status wm_source_open(struct wm_source *s, const char *path,
			      struct wm_err *err);
/* Makes @s a second source on the same open file, with its own buffer. */
void wm_source_share(struct wm_source *s, const struct wm_source *of);
/* Frees the buffer; the next view reads the file again. */
void wm_source_forget(struct wm_source *s);
void wm_source_release(struct wm_source *s);

/* Sets *@p to the @len bytes at @offset, which are valid until the next view.
 * Returns WM_BAD_INPUT if the file is shorter. */
enum wm_status wm_source_view(struct wm_source *s, uint64_t offset, size_t len,
			      const uint8_t **p, struct wm_err *err);
