/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes JSON: objects, arrays and values in order, commas and indentation by
 * itself.  Text that is not UTF-8 comes out with replacement characters.
 *
 * Writes to a stream that it does not own; the caller looks for errors there.
 * Without a stream, all text is dropped.
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
	bool tight; /* no white space, and tables as columns: for the page */
	/* longer texts lose their middle, and are counted; 0: all are whole */
	size_t longest;
	uint64_t shortened;
	/* what is called with each text; NULL: nothing */
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

/*
 * Several values at once, called by the words of @keys in order.  "?" behind
 * the key of an integer: 0 is null, as it is not known; "!": true or false.
 *
 *   WM_JSON_UINTS(j, "rank bytes? held!", r->rank, r->bytes, r->held);
 */
void wm_json_uints(struct wm_json *j, const char *keys, size_t count,
		   const uint64_t *v);
void wm_json_texts(struct wm_json *j, const char *keys, size_t count,
		   const char *const *v);
void wm_json_reals(struct wm_json *j, const char *keys, int digits,
		   size_t count, const double *v);
#define WM_JSON_VALUES(type, ...)                                              \
	sizeof((const type[]){ __VA_ARGS__ }) / sizeof(type), (const type[])   \
	{                                                                      \
		__VA_ARGS__                                                    \
	}
#define WM_JSON_UINTS(j, keys, ...)                                            \
	wm_json_uints((j), (keys), WM_JSON_VALUES(uint64_t, __VA_ARGS__))
#define WM_JSON_TEXTS(j, keys, ...)                                            \
	wm_json_texts((j), (keys), WM_JSON_VALUES(char *const, __VA_ARGS__))
#define WM_JSON_REALS(j, keys, digits, ...)                                    \
	wm_json_reals((j), (keys), (digits),                                   \
		      WM_JSON_VALUES(double, __VA_ARGS__))
/* An object of such integers on one line. */
#define WM_JSON_ROW(j, key, keys, ...)                                         \
	do {                                                                   \
		wm_json_flat_object((j), (key));                               \
		WM_JSON_UINTS(j, keys, __VA_ARGS__);                           \
		wm_json_end_object(j);                                         \
	} while (0)
/* An array on one line: the integer or text @value of each @i below @count. */
#define WM_JSON_LIST(j, key, i, count, value)                                    \
	do {                                                                     \
		wm_json_flat_array((j), (key));                                  \
		for ((i) = 0; (i) < (count); (i)++)                              \
			_Generic((value),                                      \
				const char *: wm_json_text,                    \
				char *: wm_json_text,                          \
				default: wm_json_uint)((j), NULL, (value)); \
		wm_json_end_array(j);                                            \
	} while (0)

#endif
