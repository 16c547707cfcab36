/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/symbols/rules.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/symbols/rules_list.h"

#define NAME_X(name, text, what) text,
const char *const wm_group_name[WM_GROUPS] = { WM_GROUP_LIST(NAME_X) };
#define WHAT_X(name, text, what) what,
static const char *const group_what[WM_GROUPS] = { WM_GROUP_LIST(WHAT_X) };

static const char *const kind_name[WM_RULE_KINDS] = {
	[WM_RULE_OBJECT] = "object",   [WM_RULE_LIBRARY] = "library",
	[WM_RULE_NAME] = "name",       [WM_RULE_BARE] = "bare",
	[WM_RULE_FORWARD] = "forward",
};

/* @pattern has @n bytes. */
static enum wm_status add_rule(struct wm_rules *r, enum wm_group group,
			       enum wm_rule_kind kind, const char *pattern,
			       size_t n, bool given, struct wm_err *err)
{
	struct wm_rule *rule;

	/* a rule that was printed and read again is added once */
	for (size_t i = 0; i < r->count; i++)
		if (r->rule[i].group == group && r->rule[i].kind == kind &&
		    strlen(r->rule[i].pattern) == n &&
		    memcmp(r->rule[i].pattern, pattern, n) == 0)
			return WM_OK;
	rule = WM_MORE(r->rule, r->cap, r->count);
	if (!rule)
		return wm_no_memory(err, "folding rules");
	*rule = (struct wm_rule){ group, kind, strndup(pattern, n), given };
	if (!rule->pattern)
		return wm_no_memory(err, "folding rules");
	r->count++;
	return WM_OK;
}

static enum wm_status add_builtin(struct wm_rules *r, enum wm_group group,
				  struct wm_err *err)
{
	enum wm_status s = WM_OK;

	for (size_t i = 0; i < sizeof(builtin) / sizeof(*builtin); i++) {
		const char *p = builtin[i].patterns;
		size_t n;

		for (; builtin[i].group == group && *p && !s; p += n) {
			p += *p == ' ';
			n = strcspn(p, " ");
			s = add_rule(r, group, builtin[i].kind, p, n, false,
				     err);
		}
	}
	return s;
}

static void drop_group(struct wm_rules *r, enum wm_group group)
{
	size_t i, n = 0;

	for (i = 0; i < r->count; i++)
		if (r->rule[i].group == group)
			free(r->rule[i].pattern);
		else
			r->rule[n++] = r->rule[i];
	r->count = n;
}

static enum wm_group find_group(const char *name)
{
	for (int g = 0; g < WM_GROUPS; g++)
		if (strcmp(wm_group_name[g], name) == 0)
			return (enum wm_group)g;
	return WM_GROUP_none;
}

static char *next_word(char **at)
{
	char *word = *at + strspn(*at, " \t");

	*at = word + strcspn(word, " \t");
	if (**at)
		*(*at)++ = 0;
	return word;
}

/* GROUP KIND PATTERN; the pattern may have blanks. */
static enum wm_status add_line(struct wm_rules *r, char *line, const char *file,
			       unsigned number, struct wm_err *err)
{
	char *at = line, *word, *pattern, *end = line + strlen(line);
	enum wm_group group;
	int kind = 0;

	while (end > line && isspace((unsigned char)end[-1]))
		*--end = 0;
	word = next_word(&at);
	if (!*word || *word == '#')
		return WM_OK;
	group = find_group(word);
	if (group == WM_GROUP_none)
		return wm_err_set(err, WM_USAGE,
				  "'%s' line %u: '%s' is no "
				  "group of rules; see wm-analyze --rules",
				  file, number, word);
	word = next_word(&at);
	while (kind < WM_RULE_KINDS && strcmp(kind_name[kind], word) != 0)
		kind++;
	pattern = at + strspn(at, " \t");
	if (kind == WM_RULE_FORWARD && group != WM_GROUP_wrapper)
		kind = WM_RULE_KINDS;
	if (kind == WM_RULE_KINDS || !*pattern)
		return wm_err_set(err, WM_USAGE,
				  "'%s' line %u: wanted: %s "
				  "object|library|name|bare|forward PATTERN",
				  file, number, wm_group_name[group]);
	return add_rule(r, group, (enum wm_rule_kind)kind, pattern,
			strlen(pattern), true, err);
}

static enum wm_status add_file(struct wm_rules *r, const char *path,
			       struct wm_err *err)
{
	FILE *f = fopen(path, "r");
	enum wm_status s = WM_OK;
	unsigned number = 0;
	char *line = NULL;
	size_t cap = 0;

	if (!f)
		return wm_err_set(err, WM_USAGE, "--fold '%s': %s", path,
				  strerror(errno));
	while (!s && getline(&line, &cap, f) >= 0)
		s = add_line(r, line, path, ++number, err);
	if (!s && ferror(f))
		s = wm_err_set(err, WM_USAGE, "--fold '%s': %s", path,
			       strerror(errno));
	free(line);
	fclose(f);
	return s;
}

static enum wm_status apply_fold(struct wm_rules *r, const char *value,
				 struct wm_err *err)
{
	enum wm_group group;

	if (strcmp(value, "none") == 0) {
		for (int g = WM_GROUP_own + 1; g < WM_GROUPS; g++)
			drop_group(r, (enum wm_group)g);
		return WM_OK;
	}
	if (*value != '-' && *value != '+')
		return add_file(r, value, err);
	group = find_group(value + 1);
	if (group == WM_GROUP_none)
		return wm_err_set(err, WM_USAGE,
				  "--fold %s: no such group of "
				  "rules; see wm-analyze --rules",
				  value);
	drop_group(r, group);
	return *value == '+' ? add_builtin(r, group, err) : WM_OK;
}

enum wm_status wm_rules_init(struct wm_rules *r, const char *const *fold,
			     size_t count, struct wm_err *err)
{
	enum wm_status s = WM_OK;

	memset(r, 0, sizeof(*r));
	for (int g = 0; g < WM_GROUPS && !s; g++)
		s = add_builtin(r, (enum wm_group)g, err);
	for (size_t i = 0; i < count && !s; i++)
		s = apply_fold(r, fold[i], err);
	return s;
}

void wm_rules_release(struct wm_rules *r)
{
	for (size_t i = 0; i < r->count; i++)
		free(r->rule[i].pattern);
	free(r->rule);
	memset(r, 0, sizeof(*r));
}

/* Writes libx.a for "dir/libx.a(x.o)", or the base name of a file. */
static void base_of(const char *object, char *out, size_t size)
{
	size_t n = object ? strcspn(object, "(") : 0, i = n;

	while (i && object[i - 1] != '/')
		i--;
	n -= i;
	if (n >= size)
		n = size - 1;
	if (n)
		memcpy(out, object + i, n);
	out[n] = 0;
}

static bool rule_fits(const struct wm_rule *r, const char *const *what,
		      const char *name)
{
	if (fnmatch(r->pattern, what[r->kind], 0) == 0)
		return true;
	return r->given && name && *what[r->kind] &&
	       r->kind != WM_RULE_OBJECT && r->kind != WM_RULE_LIBRARY &&
	       fnmatch(r->pattern, name, 0) == 0;
}

struct wm_verdict wm_rules_judge(const struct wm_rules *r,
				 const struct wm_rule_frame *f)
{
	struct wm_verdict v = { .group = WM_GROUP_none };
	const char *what[WM_RULE_KINDS];
	char text[2][128];

	base_of(f->object, text[0], sizeof(text[0]));
	base_of(f->module, text[1], sizeof(text[1]));
	what[WM_RULE_OBJECT] = text[0];
	what[WM_RULE_LIBRARY] = text[1];
	what[WM_RULE_NAME] = f->linkage ? f->linkage : "";
	what[WM_RULE_BARE] = f->object || f->module ? "" : what[WM_RULE_NAME];
	what[WM_RULE_FORWARD] = what[WM_RULE_NAME];
	for (size_t i = 0; i < r->count; i++) {
		const struct wm_rule *rule = &r->rule[i];

		if (!rule_fits(rule, what, f->name))
			continue;
		if (rule->group == WM_GROUP_wrapper) {
			v.forward |= rule->kind == WM_RULE_FORWARD;
			v.wrapper |= rule->kind != WM_RULE_FORWARD;
			continue;
		}
		if (v.group == WM_GROUP_none || rule->group < v.group)
			v.group = rule->group;
		v.by_object |= rule->kind == WM_RULE_OBJECT ||
			       rule->kind == WM_RULE_LIBRARY;
	}
	return v;
}

enum wm_site_class wm_site_class(const struct wm_verdict *v)
{
	switch (v->group) {
	case WM_GROUP_none:
	case WM_GROUP_show:
		return WM_SITE_USER;
	case WM_GROUP_own:
		return WM_SITE_OWN;
	case WM_GROUP_mpi:
		return WM_SITE_MPI;
	case WM_GROUP_mpi_base:
		return WM_SITE_MPI_BASE;
	case WM_GROUP_openmp:
		return WM_SITE_OPENMP;
	default:
		return v->by_object ? WM_SITE_BY_OBJECT : WM_SITE_BY_NAME;
	}
}

void wm_rules_print(const struct wm_rules *r, FILE *out)
{
	fputs("# Folding rules: GROUP KIND PATTERN\n"
	      "#   object   base name of the object file, or of its archive\n"
	      "#   library  base name of the shared library\n"
	      "#   name     of the function, as the linker has it; in rules of "
	      "yours also as shown\n"
	      "#   bare     the same, where neither object nor library is "
	      "known\n"
	      "#   forward  the same, if it only forwards to malloc for two "
	      "callers or more\n",
	      out);
	for (int g = 0; g < WM_GROUPS; g++) {
		fprintf(out, "\n# %s: %s\n", wm_group_name[g], group_what[g]);
		for (size_t i = 0; i < r->count; i++)
			if (r->rule[i].group == (enum wm_group)g)
				fprintf(out, "%-9s %-8s %s\n", wm_group_name[g],
					kind_name[r->rule[i].kind],
					r->rule[i].pattern);
	}
}
