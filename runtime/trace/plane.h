/* SPDX-License-Identifier: Apache-2.0 */
/* Codes bytes by their frequencies: a plane of docs/trace-format.md, 6.8.  This
 * is ten times as fast as LZMA2, for bytes that do not depend on the bytes
 * before them.  The functions are pure; the caller provides the memory. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

#define WM_PLANE_BITS 12 /* frequencies sum up to 1 << this */
#define WM_PLANE_STATES 8

struct wm_plane_symbol {
	uint64_t inverse; /* of the frequency */
	uint32_t limit; /* from this state on a word is written first */
	uint16_t start, others; /* frequencies before it; of all others */
};

struct wm_plane_room {
	struct wm_plane_symbol symbol[256];
	uint32_t count[4][256];
	uint16_t frequency[256];
	uint8_t *words; /* 2 bytes for each of the plane, and 2 */
};

/* The most bytes of a plane of @n bytes. */
#define WM_PLANE_MOST(n) ((n) + 1)

/* Codes the @n bytes at @p (at least 1) as a plane at @to; returns its end. */
uint8_t *wm_plane_put(uint8_t *to, const uint8_t *p, size_t n,
		      struct wm_plane_room *room) wm_hidden;
