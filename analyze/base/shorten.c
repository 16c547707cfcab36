/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/base/shorten.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "wm/plain.h"

/* What is written, and how much it would be. */
struct text {
	char *out;
	size_t room, size;
};

static void put_text(struct text *s, const char *text, size_t n)
{
	if (s->size + n <= s->room)
		memcpy(s->out + s->size, text, n);
	s->size += n;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Bytes of "operator" and its sign at @at, 0 when there is no such thing. */
static size_t operator_at(const char *name, const char *at)
{
	static const char *const signs[] = {
		"()", "[]", "<=>", "<<=", ">>=", "->*", "<<",
		">>", "<=", ">=",  "->",  "<",	 ">",
	};
	size_t i, n = strlen("operator");

	if (strncmp(at, "operator", n) != 0 || (at > name && is_word(at[-1])))
		return 0;
	for (i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (!strncmp(at + n, signs[i], strlen(signs[i])))
			return n + strlen(signs[i]);
	return 0;
}

/*
 * Behind the bracket that closes the one at @at; the end if none does.  In
 * parentheses "<" and ">" may also compare.
 */
static const char *after_closing(const char *name, const char *at)
{
	char open[64];
	size_t depth = 0, n;

	for (; *at; at++) {
		n = operator_at(name, at);
		if (n) {
			at += n - 1;
		} else if (*at == '-' && at[1] == '>') {
			at++;
		} else if (strchr("<({[", *at)) {
			if (depth == sizeof(open))
				return name + strlen(name);
			open[depth++] = *at;
		} else if (*at == '>') {
			depth -= open[depth - 1] == '<';
		} else if (strchr(")}]", *at)) {
			while (depth && open[depth - 1] == '<')
				depth--;
			depth -= depth > 0;
		}
		if (!depth)
			return at + 1;
	}
	return at;
}

/*
 * Whether "(" opens parameters: not in "(anonymous namespace)", nor in the
 * declarator "(*name)".
 */
static bool is_list(const char *at)
{
	return strncmp(at, "(anonymous ", 11) != 0 && at[1] != '*' &&
	       at[1] != '&' && at[1] != ')';
}

/* "grab < main": no template, but who calls whom. */
static bool is_caller(const char *name, const char *at)
{
	return *at == '<' && at > name && at[-1] == ' ' && at[1] == ' ';
}

static void collapse_lists(const char *name, int templates, struct text *s)
{
	const char *at = name;
	size_t n;

	while (*at) {
		n = operator_at(name, at);
		if (n) {
			put_text(s, at, n);
			at += n;
		} else if (*at == '(' && is_list(at)) {
			put_text(s, "(...)", 5);
			at = after_closing(name, at);
		} else if (is_caller(name, at)) {
			put_text(s, at++, 1);
		} else if (*at == '<' && templates) {
			put_text(s, "<...>", 5);
			at = after_closing(name, at);
		} else if (*at == '<') {
			n = (size_t)(after_closing(name, at) - at);
			put_text(s, at, n);
			at += n;
		} else {
			put_text(s, at++, 1);
		}
	}
}

char *wm_shorten(const char *name, size_t columns, char *out)
{
	size_t n = strlen(name), head, tail;
	char text[4096];
	int templates;

	if (n <= columns) {
		memcpy(out, name, n + 1);
		return out;
	}
	for (templates = 0; templates < 2; templates++) {
		struct text s = { text, sizeof(text) - 1, 0 };

		collapse_lists(name, templates, &s);
		/* nothing to collapse in a name of that length */
		if (s.size > s.room)
			continue;
		text[s.size] = 0;
		if (s.size <= columns) {
			memcpy(out, text, s.size + 1);
			return out;
		}
		name = templates ? text : name;
	}
	/* the end tells more than the beginning, a return type or a scope */
	n = strlen(name);
	head = (columns - 3) / 3;
	tail = wm_plain_cut_up(name, n - (columns - 3 - head));
	head = wm_plain_cut(name, head);
	memcpy(out, name, head);
	memcpy(out + head, "...", 3);
	memcpy(out + head + 3, name + tail, n - tail + 1);
	return out;
}
