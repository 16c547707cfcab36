/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/base/shorten.h"

#include <ctype.h>
#include <string.h>

#include "input/plain.h"

/* Columns that a name keeps before its location is cut. */
#define SHORTEST 12

/* A text that is being written. `size` also counts text that did not fit. */
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

/* Returns the length of "operator" and its sign at @at, or 0. */
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

/* Returns the place behind the bracket that closes the one at @at, or the end
 * of the name.  Inside parentheses, "<" and ">" may be comparisons. */
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

/* Returns whether the "(" at @at opens parameters, unlike that in "(stack of
 * the main thread)", "(anonymous namespace)" and the declarator "(*name)". */
static bool is_list(const char *name, const char *at)
{
	return at > name && strncmp(at, "(anonymous ", 11) != 0 &&
	       at[1] != '*' && at[1] != '&' && at[1] != ')';
}

/* Returns whether the "<" at @at precedes a caller, as in "grab < main". */
static bool is_caller(const char *name, const char *at)
{
	return *at == '<' && at > name && at[-1] == ' ' && at[1] == ' ';
}

/* Returns the place behind the operator, the brackets or the letter at @at. */
static const char *after_token(const char *name, const char *at)
{
	size_t n = operator_at(name, at);

	return n ? at + n :
	       strchr("<({[", *at) && !is_caller(name, at) ?
		   after_closing(name, at) :
		   at + 1;
}

/* Returns whether the "(" at @at can open types behind a function's name,
 * unlike that in u(:), u(1) and libm.a(e_exp.o). */
static bool opens_types(const char *name, const char *at)
{
	return at > name && at[-1] != ' ' &&
	       !(at - name > 2 && !strncmp(at - 2, ".a", 2)) &&
	       (isalpha((unsigned char)at[1]) || at[1] == '_' || at[1] == ')');
}

/* Returns whether [@at, @end) has a path instead of types, as in [x](a.png). */
static bool has_path(const char *at, const char *end)
{
	for (; at < end; at++)
		if (*at == '/' || (*at == '.' && isalnum((unsigned char)at[1])))
			return true;
	return false;
}

bool wm_parameters(const char *name, size_t *from, size_t *size)
{
	const char *at = name, *end;

	for (; *at && strncmp(at, "  ", 2) != 0; at = end) {
		end = after_token(name, at);
		if (*at != '(' || !opens_types(name, at))
			continue;
		if (strncmp(end, " const", 6) == 0)
			end += 6;
		/* a location or the caller may follow */
		if ((*end && strncmp(end, "  ", 2) != 0 &&
		     strncmp(end, " < ", 3) != 0) ||
		    has_path(at, end))
			continue;
		*from = (size_t)(at - name);
		*size = (size_t)(end - at);
		return true;
	}
	return false;
}

static void collapse_lists(const char *name, int templates, struct text *s)
{
	const char *at, *end;

	for (at = name; *at; at = end) {
		bool opens = *at == '(' ? is_list(name, at) :
					  *at == '<' && !is_caller(name, at);

		end = opens || operator_at(name, at) ? after_token(name, at) :
						       at + 1;
		/* an index like (:) would become longer */
		if (opens && end > at + (*at == '(' ? 5 : 0) &&
		    (*at == '(' || templates))
			put_text(s, *at == '(' ? "(...)" : "<...>", 5);
		else
			put_text(s, at, (size_t)(end - at));
	}
}

/* Returns the end of the scope at @at, behind "::"; without "::", the end. */
static const char *after_scope(const char *name, const char *at)
{
	for (; *at; at = after_token(name, at))
		if (at[0] == ':' && at[1] == ':')
			return at + 2;
	return at;
}

/* Drops the scopes in the middle of @name or, if the rest is still too long,
 * all scopes, as the name in a scope is more specific than the scope.  Returns
 * NULL if there is no scope; otherwise returns the name in the last scope.  If
 * *@done is then set, the text with "..." is in @out. */
static const char *without_scopes(const char *name, size_t columns, char *out,
				  bool *done)
{
	const char *first = after_scope(name, name), *last = first, *next;
	size_t head = (size_t)(first - name), n;

	*done = false;
	if (!*first)
		return NULL;
	while (*(next = after_scope(name, last)))
		last = next;
	n = strlen(last);
	if (last == first || head + 5 + n > columns)
		head = 0;
	if (head + 5 + n > columns)
		return last;
	memcpy(out, name, head);
	memcpy(out + head, "...::", 5);
	memcpy(out + head + 5, last, n + 1);
	*done = true;
	return last;
}

/* Returns the location behind a name, with two blanks before it, or NULL. */
static const char *location_of(const char *name, size_t columns)
{
	const char *at, *found = NULL;

	for (at = name; (at = strstr(at, "  ")); at += 2)
		found = at;
	return found && found > name && strlen(found) + SHORTEST <= columns ?
		       found :
		       NULL;
}

static bool take_whole(const char *name, size_t columns, char *out)
{
	size_t n = strlen(name);

	if (n <= columns)
		memcpy(out, name, n + 1);
	return n <= columns;
}

static void shorten_name(const char *name, size_t columns, char *out)
{
	const char *inner;
	char text[4096];
	size_t head, tail, n;
	bool done;

	if (take_whole(name, columns, out))
		return;
	for (int templates = 0; templates < 2; templates++) {
		struct text s = { text, sizeof(text) - 1, 0 };

		collapse_lists(name, templates, &s);
		if (s.size > s.room)
			continue;
		text[s.size] = 0;
		if (take_whole(text, columns, out))
			return;
		name = templates ? text : name;
	}
	inner = without_scopes(name, columns, out, &done);
	/* the end is more specific than the beginning */
	name = inner ? inner : name;
	if (done || take_whole(name, columns, out))
		return;
	n = strlen(name);
	head = (columns - 3) / 3;
	tail = wm_plain_cut_up(name, n - (columns - 3 - head));
	head = wm_plain_cut(name, head);
	memcpy(out, name, head);
	memcpy(out + head, "...", 3);
	memcpy(out + head + 3, name + tail, n - tail + 1);
}

char *wm_shorten(const char *name, size_t columns, char *out)
{
	const char *location;
	char text[4096];
	size_t n, at;

	if (take_whole(name, columns, out))
		return out;
	location = location_of(name, columns);
	at = location ? (size_t)(location - name) : sizeof(text);
	if (at >= sizeof(text)) {
		shorten_name(name, columns, out);
		return out;
	}
	memcpy(text, name, at);
	text[at] = 0;
	n = strlen(location);
	shorten_name(text, columns - n, out);
	memcpy(out + strlen(out), location, n + 1);
	return out;
}
