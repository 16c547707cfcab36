/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeline of the chosen rank in layers: the live bytes of each site,
 * library, block name, phase or start function of threads.  The layers of a bin
 * are taken at the moment of the bin's maximum and add up to it.
 *
 * A struct wm_layers owns all that it points to.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"

enum wm_by {
	WM_BY_NOTHING,
	WM_BY_SITES,
	WM_BY_LIBRARIES,
	WM_BY_NAMES, /* of blocks */
	WM_BY_PHASES,
	WM_BY_THREADS, /* the function that a thread begins with */
};
extern const char *const wm_by_name[];

#define WM_NO_FUNCTION UINT32_MAX

struct wm_layer {
	char *name; /* NULL: no name, see .unnamed */
	const char *unnamed; /* the text for people */
	char *file; /* of sites; NULL: unknown */
	uint32_t line; /* 0: unknown */
	uint32_t function; /* number of a site's function; or WM_NO_FUNCTION */
	uint64_t most; /* highest of bytes[] */
	uint64_t *bytes; /* one for each bin */
};

struct wm_layers {
	struct wm_layer *layer; /* highest first */
	size_t count, bins;
	uint64_t *bytes; /* of all layers */
};

enum wm_status wm_layers_make(struct wm_layers *l, const struct wm_analysis *a,
			      enum wm_by by, struct wm_err *err);
void wm_layers_release(struct wm_layers *l);

/* Returns the name of a layer for people, in @buf. */
#define WM_LAYER_TEXT 128
const char *wm_layer_name(const struct wm_layer *l, char buf[WM_LAYER_TEXT]);
