/* SPDX-License-Identifier: Apache-2.0 */
/* Reads from debug information all variables in static memory or in a thread's
 * own memory.  Limits the work.  One thread at a time. */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/texts.h"

struct wm_static_die {
	uint64_t address; /* as linked, or offset in a thread's own memory */
	Dwarf_Die type; /* peeled; of COMMON, the block itself */
	const char *name; /* with its scopes: mod::a, f::count, /blk/ */
	const char *linkage; /* the beginning of its symbol */
	const char *unit; /* the source file; NULL: unknown */
	bool in_thread;
};

struct wm_static_dies {
	struct wm_static_die *die;
	size_t count, cap;
	size_t units;
	bool split; /* units are in other files, which are not read */
	struct wm_texts texts;
};

/* Returns false without memory. */
bool wm_static_dies_read(struct wm_static_dies *s, Dwarf *dw);
void wm_static_dies_release(struct wm_static_dies *s);
