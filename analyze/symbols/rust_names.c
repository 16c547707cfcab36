/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/symbols/symbols.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 64
#define LONGEST 2000 /* of a readable name: back references can multiply it */

struct reader {
	const char *begin, *at; /* @begin: behind "_R" */
	char out[LONGEST + 1];
	size_t size;
	unsigned depth, silent;
	bool bad;
};

static void put_bytes(struct reader *r, const char *text, size_t n)
{
	if (r->silent)
		return;
	if (n > LONGEST - r->size) {
		r->bad = true;
		return;
	}
	memcpy(r->out + r->size, text, n);
	r->size += n;
}

static void put(struct reader *r, const char *text)
{
	put_bytes(r, text, strlen(text));
}

static bool take(struct reader *r, char c)
{
	if (r->bad || *r->at != c)
		return false;
	r->at++;
	return true;
}

static char take_any(struct reader *r)
{
	if (!*r->at)
		r->bad = true;
	return r->bad ? 0 : *r->at++;
}

/* "_" is 0, "0_" is 1, "1_" is 2 ... */
static uint64_t take_base62(struct reader *r)
{
	uint64_t v = 0;
	bool any = false;
	char c;

	while (!take(r, '_')) {
		c = take_any(r);
		if (!isalnum((unsigned char)c) || v > UINT64_MAX / 63) {
			r->bad = true;
			return 0;
		}
		v = v * 62 +
		    (uint64_t)(isdigit((unsigned char)c) ? c - '0' :
			       islower((unsigned char)c) ? c - 'a' + 10 :
							   c - 'A' + 36);
		any = true;
	}
	return v + any;
}

/* Returns the number that distinguishes equal names, or 0. */
static uint64_t take_disambiguator(struct reader *r)
{
	return take(r, 's') ? take_base62(r) + 1 : 0;
}

static size_t take_identifier(struct reader *r, const char **text)
{
	size_t n = 0, left;

	take(r, 'u'); /* punycode, which is left as it is */
	while (isdigit((unsigned char)*r->at) && n < LONGEST)
		n = 10 * n + (size_t)(*r->at++ - '0');
	take(r, '_');
	left = strlen(r->at);
	r->bad |= n > left;
	*text = r->at;
	n = r->bad ? 0 : n;
	r->at += n;
	return n;
}

static void read_path(struct reader *r, bool value);
static void read_type(struct reader *r);

/* Calls @what at an earlier place.  References only lead backwards, so they
 * end. */
static void follow(struct reader *r, void (*what)(struct reader *))
{
	const char *here = r->at - 1;
	uint64_t to = take_base62(r);
	const char *after = r->at;

	if (r->bad || to >= (uint64_t)(here - r->begin)) {
		r->bad = true;
		return;
	}
	if (r->silent)
		return;
	r->at = r->begin + to;
	what(r);
	r->at = after;
}

static void read_type_path(struct reader *r)
{
	read_path(r, false);
}

static void read_value_path(struct reader *r)
{
	read_path(r, true);
}

static void read_const(struct reader *r)
{
	const char *digits;
	char text[24];

	if (take(r, 'B')) {
		follow(r, read_const);
		return;
	}
	if (take(r, 'p')) {
		put(r, "_");
		return;
	}
	/* integers, bool and char; others are left mangled */
	if (!strchr("aijlnosmthxybc", take_any(r)))
		r->bad = true;
	if (take(r, 'n'))
		put(r, "-");
	digits = r->at;
	while (isxdigit((unsigned char)*r->at))
		r->at++;
	if (!take(r, '_') || r->at - digits > 17) {
		r->bad = true;
		return;
	}
	snprintf(text, sizeof(text), "%" PRIu64,
		 (uint64_t)strtoull(digits, NULL, 16));
	put(r, text);
}

static void read_list(struct reader *r, void (*one)(struct reader *))
{
	bool first = true;

	while (!r->bad && !take(r, 'E')) {
		if (!first)
			put(r, ", ");
		one(r);
		first = false;
	}
}

static void read_argument(struct reader *r)
{
	if (take(r, 'L')) {
		take_base62(r);
		put(r, "'_");
	} else if (take(r, 'K')) {
		read_const(r);
	} else {
		read_type(r);
	}
}

static void read_function_type(struct reader *r)
{
	const char *abi;

	if (take(r, 'G'))
		take_base62(r);
	if (take(r, 'U'))
		put(r, "unsafe ");
	if (take(r, 'K')) {
		if (!take(r, 'C'))
			take_identifier(r, &abi);
		put(r, "extern ");
	}
	put(r, "fn(");
	read_list(r, read_type);
	put(r, ")");
	if (take(r, 'u'))
		return;
	put(r, " -> ");
	read_type(r);
}

static void read_dyn(struct reader *r)
{
	const char *name;
	bool first = true;

	if (take(r, 'G'))
		take_base62(r);
	put(r, "dyn ");
	while (!r->bad && !take(r, 'E')) {
		if (!first)
			put(r, " + ");
		first = false;
		read_path(r, false);
		while (take(r, 'p')) {
			size_t n = take_identifier(r, &name);

			put(r, "<");
			put_bytes(r, name, n);
			put(r, " = ");
			read_type(r);
			put(r, ">");
		}
	}
	if (take(r, 'L'))
		take_base62(r);
	else
		r->bad = true;
}

/* Returns the text before the type behind @c; NULL: @c is not a prefix. */
static const char *prefix_of(char c)
{
	return c == 'R' ? "&" :
	       c == 'Q' ? "&mut " :
	       c == 'P' ? "*const " :
	       c == 'O' ? "*mut " :
			  NULL;
}

static const char *basic_type(char c)
{
	static const char *const name[] = {
		"i8",	"bool",	 "char",  "f64", "str", "f32", NULL,
		"u8",	"isize", "usize", NULL,	 "i32", "u32", "i128",
		"u128", "_",	 NULL,	  NULL,	 "i16", "u16", "()",
		"...",	NULL,	 "i64",	  "u64", "!",
	};

	return c >= 'a' && c <= 'z' ? name[c - 'a'] : NULL;
}

static void read_compound(struct reader *r, char c)
{
	if (c == 'A' || c == 'S') {
		put(r, "[");
		read_type(r);
		if (c == 'A') {
			put(r, "; ");
			read_const(r);
		}
		put(r, "]");
	} else if (c == 'T') {
		put(r, "(");
		read_list(r, read_type);
		put(r, ")");
	} else if (c == 'F') {
		read_function_type(r);
	} else {
		read_dyn(r);
	}
}

static void read_type(struct reader *r)
{
	const char *text;
	char c = *r->at;

	if (r->bad || ++r->depth > DEEPEST) {
		r->bad = true;
		return;
	}
	text = basic_type(c);
	if (text || prefix_of(c) || strchr("ASTFDB", c))
		r->at += c != 0;
	if (!c) {
		r->bad = true;
	} else if (text) {
		put(r, text);
	} else if (prefix_of(c)) {
		if (strchr("RQ", c) && take(r, 'L'))
			take_base62(r);
		put(r, prefix_of(c));
		read_type(r);
	} else if (c == 'B') {
		follow(r, read_type);
	} else if (strchr("ASTFD", c)) {
		read_compound(r, c);
	} else {
		read_path(r, false);
	}
	r->depth--;
}

static void read_nested(struct reader *r, bool value)
{
	char space = take_any(r), text[32];
	const char *name;
	uint64_t which;
	size_t n;

	read_path(r, value);
	which = take_disambiguator(r);
	n = take_identifier(r, &name);
	if (isupper((unsigned char)space)) {
		put(r, space == 'C' ? "::{closure" : "::{shim");
		if (n)
			put(r, ":");
		put_bytes(r, name, n);
		snprintf(text, sizeof(text), "#%" PRIu64 "}", which);
		put(r, text);
	} else if (n) {
		put(r, "::");
		put_bytes(r, name, n);
	}
}

/* Skips the place of an impl, as the type identifies the impl better. */
static void skip_impl(struct reader *r)
{
	take_disambiguator(r);
	r->silent++;
	read_path(r, false);
	r->silent--;
}

static void read_impl(struct reader *r, char c)
{
	if (c != 'Y')
		skip_impl(r);
	put(r, "<");
	read_type(r);
	if (c != 'M') {
		put(r, " as ");
		read_path(r, false);
	}
	put(r, ">");
}

static void read_path(struct reader *r, bool value)
{
	const char *name;
	size_t n;
	char c = take_any(r);

	if (r->bad || ++r->depth > DEEPEST) {
		r->bad = true;
		return;
	}
	if (c == 'C') {
		take_disambiguator(r);
		n = take_identifier(r, &name);
		put_bytes(r, name, n);
	} else if (c == 'N') {
		read_nested(r, value);
	} else if (c == 'M' || c == 'X' || c == 'Y') {
		read_impl(r, c);
	} else if (c == 'I') {
		read_path(r, value);
		put(r, value ? "::<" : "<");
		read_list(r, read_argument);
		put(r, ">");
	} else if (c == 'B') {
		follow(r, value ? read_value_path : read_type_path);
	} else {
		r->bad = true;
	}
	r->depth--;
}

char *wm_demangle_rust(const char *linkage)
{
	struct reader r = { .size = 0 };

	if (strncmp(linkage, "_R", 2) != 0)
		return NULL;
	r.begin = r.at = linkage + 2;
	read_path(&r, true);
	return r.bad || !r.size ? NULL : strndup(r.out, r.size);
}
