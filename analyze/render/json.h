/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes JSON: objects, arrays and values in order, commas and indentation by
 * itself.  Text that is not UTF-8 comes out with replacement characters.
 *
 * Writes to a stream that it does not own; the caller looks for errors there.
 * Without a stream, what is written is dropped.
 */
#ifndef WM_ANALYZE_JSON_H
#define WM_ANALYZE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct wm_json {
	FILE *out;
	int depth;
	int flat; /* depth from which all is one line */
	bool first;
	bool tight; /* no white space: for programs alone */
	/* longer texts lose their middle, and are counted; 0: all are whole */
	size_t longest;
	uint64_t shortened;
};

#define WM_JSON_INIT(stream)                                                   \
	{                                                                      \
		.out = (stream), .first = true                                 \
	}

/* @key is NULL in arrays. */
void wm_json_object(struct wm_json *j, const char *key);
void wm_json_array(struct wm_json *j, const char *key);
/* The same on one line. */
void wm_json_flat_object(struct wm_json *j, const char *key);
void wm_json_flat_array(struct wm_json *j, const char *key);
void wm_json_end_object(struct wm_json *j);
void wm_json_end_array(struct wm_json *j);

void wm_json_uint(struct wm_json *j, const char *key, uint64_t v);
/* null where it is not known. */
void wm_json_known(struct wm_json *j, const char *key, bool known, uint64_t v);
void wm_json_int(struct wm_json *j, const char *key, int64_t v);
/* @digits after the point. */
void wm_json_real(struct wm_json *j, const char *key, double v, int digits);
void wm_json_bool(struct wm_json *j, const char *key, bool v);
/* NULL becomes null. */
void wm_json_text(struct wm_json *j, const char *key, const char *v);

#endif
