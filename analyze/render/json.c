/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/json.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "input/plain.h"

/* Deeper values are not indented further. */
#define DEEPEST_INDENT 64
#define KEY_TEXT 64

static void put_indent(struct wm_json *j)
{
	if (j->tight)
		return;
	if (j->flat) {
		if (!j->first)
			putc(' ', j->out);
		return;
	}
	putc('\n', j->out);
	for (int i = 0; i < j->depth && i < DEEPEST_INDENT; i++)
		fputs("  ", j->out);
}

/* Returns the number of bytes at @s that are written unchanged. */
static size_t plain_length(const unsigned char *s)
{
	size_t n = 0;

	while (s[n] >= 0x20 && s[n] < 0x7f && s[n] != '"' && s[n] != '\\')
		n++;
	return n;
}

/* Writes [@s, @end) without quotes. */
static void put_text(FILE *out, const unsigned char *s,
		     const unsigned char *end)
{
	size_t plain, n;

	for (;;) {
		plain = plain_length(s);
		if (plain > (size_t)(end - s))
			plain = (size_t)(end - s);
		fwrite(s, 1, plain, out);
		s += plain;
		if (s == end)
			break;
		n = wm_plain_length((const char *)s,
				    (size_t)(end - s) < WM_PLAIN_UNIT ?
					    (size_t)(end - s) :
					    WM_PLAIN_UNIT);
		if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else if (*s == '\n')
			fputs("\\n", out);
		else if (*s == '\t')
			fputs("\\t", out);
		else if (*s < 0x20 || *s == 0x7f)
			fprintf(out, "\\u%04x", *s);
		else if (n)
			fwrite(s, 1, n, out);
		else
			fputs("\\ufffd", out);
		s += n ? n : 1;
	}
}

/* Returns the beginning of the character at @s, but not before @from. */
static const unsigned char *begin_of(const unsigned char *s,
				     const unsigned char *from)
{
	while (s > from && (*s & 0xc0) == 0x80)
		s--;
	return s;
}

static void put_string(struct wm_json *j, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n = strlen(text), cut = j->longest;

	putc('"', j->out);
	if (!cut || n <= cut) {
		put_text(j->out, s, s + n);
	} else {
		/* the end of a text distinguishes overloads and lines */
		put_text(j->out, s, begin_of(s + cut - cut / 3, s));
		fputs("\xe2\x80\xa6", j->out);
		put_text(j->out, begin_of(s + n - cut / 3, s), s + n);
		j->shortened++;
	}
	putc('"', j->out);
}

static bool begin_value(struct wm_json *j, const char *key)
{
	if (!j->out)
		return false;
	if (!j->first)
		putc(',', j->out);
	if (j->depth)
		put_indent(j);
	j->first = false;
	if (key) {
		put_string(j, key);
		fputs(j->tight ? ":" : ": ", j->out);
	}
	return true;
}

static void open_bracket(struct wm_json *j, const char *key, int c, bool flat)
{
	if (!begin_value(j, key))
		return;
	putc(c, j->out);
	j->depth++;
	j->first = true;
	if (flat && !j->flat)
		j->flat = j->depth;
}

static void close_bracket(struct wm_json *j, int c)
{
	bool empty = j->first;

	if (!j->out)
		return;
	j->depth--;
	if (!empty && !j->flat)
		put_indent(j);
	if (j->flat > j->depth)
		j->flat = 0;
	j->first = false;
	putc(c, j->out);
	if (!j->depth)
		putc('\n', j->out);
}

void wm_json_object(struct wm_json *j, const char *key)
{
	open_bracket(j, key, '{', false);
}

void wm_json_array(struct wm_json *j, const char *key)
{
	open_bracket(j, key, '[', false);
}

void wm_json_flat_object(struct wm_json *j, const char *key)
{
	open_bracket(j, key, '{', true);
}

void wm_json_flat_array(struct wm_json *j, const char *key)
{
	open_bracket(j, key, '[', true);
}

void wm_json_end_object(struct wm_json *j)
{
	close_bracket(j, '}');
}

void wm_json_end_array(struct wm_json *j)
{
	close_bracket(j, ']');
}

void wm_json_uint(struct wm_json *j, const char *key, uint64_t v)
{
	if (begin_value(j, key))
		fprintf(j->out, "%" PRIu64, v);
}

void wm_json_int(struct wm_json *j, const char *key, int64_t v)
{
	if (begin_value(j, key))
		fprintf(j->out, "%" PRId64, v);
}

void wm_json_real(struct wm_json *j, const char *key, double v, int digits)
{
	if (!begin_value(j, key))
		return;
	if (isfinite(v))
		fprintf(j->out, "%.*f", digits, v);
	else
		fputs("null", j->out);
}

void wm_json_known(struct wm_json *j, const char *key, bool known, uint64_t v)
{
	if (known)
		wm_json_uint(j, key, v);
	else
		wm_json_text(j, key, NULL);
}

void wm_json_bool(struct wm_json *j, const char *key, bool v)
{
	if (begin_value(j, key))
		fputs(v ? "true" : "false", j->out);
}

void wm_json_text(struct wm_json *j, const char *key, const char *v)
{
	if (!begin_value(j, key))
		return;
	if (v && j->seen)
		j->seen(j->of, v);
	if (v)
		put_string(j, v);
	else
		fputs("null", j->out);
}

/* Copies the next word of *@keys to @key.  Returns its length, or 0. */
static size_t next_key(const char **keys, char key[KEY_TEXT])
{
	size_t n;

	*keys += strspn(*keys, " ");
	n = strcspn(*keys, " ");
	if (n >= KEY_TEXT)
		n = KEY_TEXT - 1;
	memcpy(key, *keys, n);
	key[n] = 0;
	*keys += n;
	return n;
}

/* Returns the number of digits after the point of @key, and cuts it off. */
static int digits_of(char *key)
{
	char *point = strchr(key, '.');

	if (!point)
		return 3;
	*point = 0;
	return point[1] - '0';
}

void wm_json_add(struct wm_json *j, const char *keys, size_t count,
		 const struct wm_cell *c)
{
	char key[KEY_TEXT], mark;
	size_t n;

	for (; count-- && (n = next_key(&keys, key)); c++) {
		int digits = digits_of(key);

		mark = key[n - 1];
		if (mark == '?' || mark == '!')
			key[n - 1] = 0;
		if (mark == '!')
			wm_json_bool(j, key, c->u != 0);
		else if (c->kind == WM_CELL_REAL)
			wm_json_real(j, key, c->real, digits);
		else if (c->kind == WM_CELL_INT)
			wm_json_int(j, key, c->i);
		else if (c->kind == WM_CELL_UINT)
			wm_json_known(j, key, mark != '?' || c->u, c->u);
		else
			wm_json_text(j, key, c->text);
	}
}

void wm_json_row(struct wm_json *j, const char *key, bool flat,
		 const char *keys, size_t count, const struct wm_cell *c)
{
	open_bracket(j, key, '{', flat);
	wm_json_add(j, keys, count, c);
	wm_json_end_object(j);
}
