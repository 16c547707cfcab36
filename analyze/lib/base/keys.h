/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers for keys: the first key is 0, a new one the next number, a known one
 * the number that it has.  Keys are any bytes; they are copied.
 *
 * Belongs to one thread.  One of zeros is empty.  When memory is short, the
 * number is 0 and `failed` stays set: look there once, at the end.
 */
#ifndef WM_ANALYZE_KEYS_H
#define WM_ANALYZE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/index.h"

struct wm_key {
	char *key; /* a NUL behind it */
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

#endif
