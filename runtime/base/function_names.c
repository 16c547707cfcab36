/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/base/function_names.h"

#include <string.h>

#include "runtime/base/text.h"

#define NAME_MAX 512

static bool matches(const char *p, const char *p_end, const char *s)
{
	const char *star = NULL, *from = NULL;

	for (;;) {
		if (p < p_end && *p == '*') {
			star = ++p;
			from = s;
		} else if (!*s) {
			return p == p_end;
		} else if (p < p_end && (*p == '?' || *p == *s)) {
			p++, s++;
		} else if (star) {
			p = star;
			s = ++from;
		} else {
			return false;
		}
	}
}

static uint64_t patterns_of(const char *name, const char *list)
{
	uint64_t found = 0;

	for (unsigned n = 0; n < WM_FUNCTION_PATTERNS; n++) {
		const char *end = list;

		while (*end && *end != ',')
			end++;
		if (end != list && matches(list, end, name))
			found |= UINT64_C(1) << n;
		if (!*end)
			break;
		list = end + 1;
	}
	return found;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Returns the end of the C++ name at @p (length, name), or NULL. */
static const char *behind_name(const char *p, const char **name)
{
	size_t n = 0;

	while (is_digit(*p) && n < NAME_MAX)
		n = n * 10 + (size_t)(*p++ - '0');
	if (!n || strnlen(p, n) < n)
		return NULL;
	*name = p;
	return p + n;
}

/* Returns the end of the template arguments that begin with I at @p, or NULL if
 * they are not understood. */
static const char *behind_arguments(const char *p)
{
	const char *name;
	unsigned depth = 0;

	do {
		if (is_digit(*p)) {
			p = behind_name(p, &name);
			if (!p)
				return NULL;
			continue;
		}
		if (*p == 'L' && p[1] >= 'a' && p[1] <= 'z') {
			while (*p && *p != 'E')
				p++;
		} else if (*p == 'I' || *p == 'N' || *p == 'X' || *p == 'J' ||
			   *p == 'L' || *p == 'F') {
			depth++;
		} else if (*p == 'E') {
			depth--;
		} else if (*p == 'S' && p[1] >= 'a' && p[1] <= 'z') {
			p++;
		}
		if (!*p)
			return NULL;
		p++;
	} while (depth);
	return p;
}

static void add_part(struct wm_text *t, const char *between, const char *name,
		     const char *end)
{
	if (t->len)
		wm_text_add(t, between);
	while (name < end)
		wm_text_char(t, *name++);
}

/* Appends the C++ name in @symbol to @t, as far as it can be decoded. */
static void demangle(const char *symbol, struct wm_text *t)
{
	static const char std[] = "std";
	const char *p = symbol + 2, *name = "", *end = name, *next;

	if (symbol[0] != '_' || symbol[1] != 'Z')
		return;
	if (*p == 'L')
		p++; /* internal linkage */
	if (*p == 'N')
		for (p++; *p == 'r' || *p == 'V' || *p == 'K' || *p == 'R' ||
			  *p == 'O';)
			p++;
	while (p && *p) {
		if (is_digit(*p)) {
			next = behind_name(p, &name);
			if (!next)
				return;
			add_part(t, "::", name, end = next);
			p = next;
		} else if (*p == 'I') {
			p = behind_arguments(p);
		} else if (p[0] == 'S' && p[1] == 't') {
			add_part(t, "::", std, std + 3);
			p += 2;
		} else if ((*p == 'C' || *p == 'D') && is_digit(p[1])) {
			add_part(t, *p == 'C' ? "::" : "::~", name, end);
			return;
		} else if (*p == 'L' || *p == 'B') {
			p++; /* internal linkage; a tag of the ABI */
		} else {
			return;
		}
		if (symbol[2] != 'N' && symbol[2] != 'S' && t->len)
			return;
	}
}

static void of_module(const char *symbol, struct wm_text *t)
{
	const char *mod = strncmp(symbol, "__", 2) ? NULL :
						     strstr(symbol, "_MOD_");

	if (mod) {
		add_part(t, "", symbol + 2, mod);
		wm_text_add(t, "::");
		wm_text_add(t, mod + 5);
	}
}

static uint64_t patterns_of_parts(const char *name, const char *list)
{
	const char *last = name;
	uint64_t found = patterns_of(name, list);

	for (const char *p = name; *p; p++)
		if (p[0] == ':' && p[1] == ':')
			last = p + 2;
	return last == name ? found : found | patterns_of(last, list);
}

uint64_t wm_function_patterns(const char *symbol, const char *list)
{
	char name[NAME_MAX], other[NAME_MAX];
	struct wm_text t = wm_text_on(name, sizeof(name));
	struct wm_text o = wm_text_on(other, sizeof(other));
	uint64_t found = patterns_of(symbol, list);

	if (!*symbol)
		return found;
	wm_text_char(&t, *symbol);
	for (const char *p = symbol + 1; *p && *p != '.'; p++)
		wm_text_char(&t, *p);
	found |= patterns_of(name, list);
	demangle(name, &o);
	if (!o.len)
		of_module(name, &o);
	if (o.len)
		return found | patterns_of_parts(other, list);
	if (t.len > 1 && name[t.len - 1] == '_') {
		name[t.len - 1] = 0;
		found |= patterns_of(name, list);
	}
	return found;
}
