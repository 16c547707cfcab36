/* SPDX-License-Identifier: Apache-2.0 */
/* The shapes of caches that --cache describes: L1=32K/8/64,L2=1M/16,L3=32M/16.
 * A shape has no pointers, as wm-analyze-mpi copies it to its helpers. */
#pragma once

#include <stdint.h>

#include "analyze/lib/base/error.h"

#define WM_CACHE_LEVELS 4
#define WM_CACHE_WAYS 64
#define WM_CACHE_MOST (1u << 30) /* bytes of a level */
#define WM_LINE_LEAST 8 /* bytes of a line; a power of two */
#define WM_LINE_MOST 4096

struct wm_cache_shape {
	unsigned levels; /* 0: none is wanted */
	struct wm_cache_level_shape {
		uint32_t bytes, ways, line;
	} level[WM_CACHE_LEVELS]; /* [0] is nearest to the thread */
};

/* L1=32K/8/64,L2=1M/16,L3=32M/16 */
extern const struct wm_cache_shape wm_cache_shape_usual;

/* Returns WM_USAGE with a line that shows how to write a shape. */
enum wm_status wm_cache_shape_parse(struct wm_cache_shape *s, const char *text,
				    struct wm_err *err);
/* Reads the size of a line, such as "64" or "4K". */
enum wm_status wm_line_parse(uint32_t *line, const char *text,
			     struct wm_err *err);

static inline uint32_t wm_cache_sets(const struct wm_cache_level_shape *l)
{
	return l->bytes / l->line / l->ways;
}
