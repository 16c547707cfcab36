/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeline of the chosen rank in layers.  A layer has the live bytes of a
 * site, a library, a block name, a phase or the start function of threads.  In
 * each bin the layers are taken at the moment of the bin's maximum and add up
 * to it.
 *
 * Owns all its strings and numbers.
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
	char *name; /* NULL: no name, so .unnamed is shown */
	const char *unnamed; /* for people */
	char *file; /* of sites; NULL: unknown */
	uint32_t line; /* 0: unknown */
	uint32_t function; /* of sites, its number; WM_NO_FUNCTION */
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
