/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers for keys: a new key gets the next number, from 0 on; a known key
 * keeps its number.  Keys are any bytes; the table copies them.
 *
 * A zeroed table is empty.  When memory is short, the number is 0 and `failed`
 * stays set: check `failed` once, at the end.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/index.h"

struct wm_key {
	char *key; /* followed by a NUL */
	size_t size;
};

struct wm_keys {
	struct wm_key *item;
	size_t count, cap;
	struct wm_index index;
	bool failed;
};

uint32_t wm_keys_number(struct wm_keys *t, const void *key, size_t size);
uint32_t wm_keys_text(struct wm_keys *t, const char *text);
void wm_keys_release(struct wm_keys *t);
