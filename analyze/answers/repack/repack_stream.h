/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --repack: columns become one .xz Stream in memory (docs/trace-format.md, 2.3).
 */
#ifndef WM_ANALYZE_REPACK_STREAM_H
#define WM_ANALYZE_REPACK_STREAM_H

#include <stddef.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/octets.h"

/* A Stream with an xz Block for each of @n columns, which are not empty,
 * replaces what is in @out. */
enum wm_status wm_pack_stream(struct wm_octets *out,
			      const struct wm_octets *const *column, size_t n,
			      struct wm_err *err);

#endif
