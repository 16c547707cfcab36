/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/report/compare_names.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/base/shorten.h"
#include "analyze/base/vec.h"
#include "analyze/render/bare_names.h"

/* Names with parameters, and the copies of paths that these are in. */
struct names {
	struct wm_bare_name *name;
	size_t count, cap;
	char **copy;
	size_t copies;
};

static bool add_name(struct names *n, const char *text)
{
	struct wm_bare_name *to, b = { .text = text };

	if (!wm_parameters(text, &b.from, &b.size))
		return true;
	to = WM_MORE(n->name, n->cap, n->count);
	if (!to)
		return false;
	*to = b;
	n->count++;
	return true;
}

/* Each function of "main;solve". */
static bool add_path(struct names *n, const char *path)
{
	char *at = strdup(path), *next;

	if (!at)
		return false;
	n->copy[n->copies++] = at;
	for (; at; at = next) {
		next = strchr(at, ';');
		if (next)
			*next++ = 0;
		if (!add_name(n, at))
			return false;
	}
	return true;
}

static bool add_rows(struct names *n, const struct wm_differences *list,
		     size_t most)
{
	bool ok = true;
	size_t i;

	for (i = 0; i < list->count && i < most && ok; i++) {
		ok = add_name(n, list->row[i].name);
		if (ok && list->row[i].path)
			ok = add_path(n, list->row[i].path);
	}
	return ok;
}

/* Equal ones are beside each other. */
static bool put(const struct names *n, bool bare, struct wm_json *j)
{
	const struct wm_bare_name *b = n->name, *last = NULL;
	bool ok = true;
	size_t i;

	wm_json_array(j, bare ? "bare" : "names");
	for (i = 0; i < n->count && ok; i++, b++) {
		char *text;

		if (!b->unique || (last && strcmp(last->text, b->text) == 0))
			continue;
		last = b;
		text = strndup(b->text, bare ? b->from : strlen(b->text));
		wm_json_text(j, NULL, text);
		ok = text != NULL;
		free(text);
	}
	wm_json_end_array(j);
	return ok;
}

bool wm_compare_names(const struct wm_differences *const list[], size_t lists,
		      size_t most, struct wm_json *j)
{
	struct names n = { .count = 0 };
	size_t rows = 0, i;
	bool ok;

	for (i = 0; i < lists; i++)
		rows += list[i]->count < most ? list[i]->count : most;
	n.copy = calloc(rows + 1, sizeof(*n.copy));
	ok = n.copy != NULL;
	for (i = 0; i < lists && ok; i++)
		ok = add_rows(&n, list[i], most);
	if (ok) {
		wm_bare_names_find(n.name, n.count);
		ok = put(&n, false, j) && put(&n, true, j);
	}
	for (i = 0; i < n.copies; i++)
		free(n.copy[i]);
	free(n.copy);
	free(n.name);
	return ok;
}
