/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives functions numbers, so that frames of one function are recognized
 * without comparing names.  Functions are equal if module, name and place are
 * equal.  The place is the source file or, if that is unknown, the object file.
 * The strings are borrowed and must stay.  One thread at a time.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/index.h"

struct wm_interned;

struct wm_intern {
	struct wm_interned *item;
	size_t count, cap;
	struct wm_index index;
};

/* Returns a number from 1 on, or 0 without memory.  @place may be NULL. */
uint32_t wm_intern(struct wm_intern *in, uint32_t module, const char *name,
		   const char *place);
void wm_intern_release(struct wm_intern *in);
