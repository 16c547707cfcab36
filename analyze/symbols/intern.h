/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of functions, by which two frames of one function are recognized
 * without comparing names.
 *
 * Functions are equal if module, name and place are equal (a static function
 * may have namesakes).  The place is the source file or, if the source file is
 * unknown, the object file.  Objects may share a source file, for a function of
 * a header.  The strings are borrowed and must stay.  One thread at a time.
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

/* Numbers ascend from 1 in order of appearance; 0: no memory.  @place may be
 * NULL. */
uint32_t wm_intern(struct wm_intern *in, uint32_t module, const char *name,
		   const char *place);
void wm_intern_release(struct wm_intern *in);
