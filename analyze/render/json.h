/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON: objects, arrays and values in order, with commas and
 * indentation.  Invalid UTF-8 becomes replacement characters.  The stream
 * belongs to the caller, who checks it for errors.  Without a stream all text
 * is dropped. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analyze/render/cell.h"

struct wm_json {
	FILE *out;
	int depth;
	int flat; /* depth from which all is on one line; 0: none */
	bool first;
	bool tight; /* for the page: no white space, and tables as columns */
	/* longer texts lose their middle and are counted; 0: no limit */
	size_t longest;
	uint64_t shortened;
	/* called with each text; may be NULL */
	void (*seen)(void *of, const char *text);
	void *of;
};

#define WM_JSON_INIT(stream)                                                   \
	{                                                                      \
		.out = (stream), .first = true                                 \
	}

/* @key is NULL in arrays. */
void wm_json_object(struct wm_json *j, const char *key);
void wm_json_array(struct wm_json *j, const char *key);
/* Likewise on one line. */
void wm_json_flat_object(struct wm_json *j, const char *key);
void wm_json_flat_array(struct wm_json *j, const char *key);
void wm_json_end_object(struct wm_json *j);
void wm_json_end_array(struct wm_json *j);

void wm_json_uint(struct wm_json *j, const char *key, uint64_t v);
/* Writes null if the value is unknown. */
void wm_json_known(struct wm_json *j, const char *key, bool known, uint64_t v);
void wm_json_int(struct wm_json *j, const char *key, int64_t v);
/* Writes a number with @digits after the point. */
void wm_json_real(struct wm_json *j, const char *key, double v, int digits);
void wm_json_bool(struct wm_json *j, const char *key, bool v);
/* NULL becomes null. */
void wm_json_text(struct wm_json *j, const char *key, const char *v);

/*
 * Writes several values with the words of @keys as keys.  Marks after a key:
 * "?" writes null for an integer 0, "!" writes true or false, and ".6" asks for
 * six digits after the point of a real number.
 *
 *   WM_JSON_ADD(j, "rank name bytes? held! time_s.9", r->rank, r->name,
 *               r->bytes, r->held, r->seconds);
 */
void wm_json_add(struct wm_json *j, const char *keys, size_t count,
		 const struct wm_cell *c);
#define WM_JSON_ADD(j, keys, ...)                                              \
	wm_json_add((j), (keys), WM_CELLS(__VA_ARGS__))
/* Write an object of such values, on one line or on several. */
#define WM_JSON_ROW(j, key, keys, ...)                                         \
	wm_json_row((j), (key), true, (keys), WM_CELLS(__VA_ARGS__))
#define WM_JSON_OBJECT(j, key, keys, ...)                                      \
	wm_json_row((j), (key), false, (keys), WM_CELLS(__VA_ARGS__))
void wm_json_row(struct wm_json *j, const char *key, bool flat,
		 const char *keys, size_t count, const struct wm_cell *c);
/* Writes on one line an array of @value, an integer or text, for @i <
 * @count. */
#define WM_JSON_LIST(j, key, i, count, value)                                    \
	do {                                                                     \
		wm_json_flat_array((j), (key));                                  \
		for (size_t i = 0; i < (count); i++)                             \
			_Generic((value),                                      \
				const char *: wm_json_text,                    \
				char *: wm_json_text,                          \
				default: wm_json_uint)((j), NULL, (value)); \
		wm_json_end_array(j);                                            \
	} while (0)
