/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The census of static memory as nested boxes: section, then archive and
 * member or object file, then variable.
 */
#include "analyze/report/report_static.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/queries/statics.h"
#include "analyze/render/json.h"

/* The archive's part of "dir/libm.a(e_exp.o)"; 0: it is none. */
static size_t archive_length(const char *object)
{
	size_t n = object ? strlen(object) : 0;
	const char *open;

	if (!n || object[n - 1] != ')')
		return 0;
	open = strchr(object, '(');
	return open ? (size_t)(open - object) : 0;
}

/* What the last row has opened. */
struct boxes {
	struct wm_json *j;
	const char *archive, *object;
	size_t archive_length;
	bool any;
};

static void open_box(struct boxes *b, const char *name, size_t n)
{
	char *copy = strndup(name, n);

	wm_json_object(b->j, NULL);
	wm_json_text(b->j, "name", copy ? wm_static_object(copy) : "?");
	wm_json_array(b->j, "children");
	free(copy);
}

static void close_box(struct boxes *b)
{
	wm_json_end_array(b->j);
	wm_json_end_object(b->j);
}

/* Close and open boxes until @object is the innermost. */
static void enter_object(struct boxes *b, const char *object)
{
	static const char unknown[] = "(unknown object file)";
	size_t n = archive_length(object);
	const char *name = object ? object : unknown;

	if (b->any && strcmp(b->object, name) == 0)
		return;
	if (b->any)
		close_box(b);
	if (b->archive &&
	    (n != b->archive_length || strncmp(b->archive, name, n) != 0)) {
		close_box(b);
		b->archive = NULL;
	}
	if (n && !b->archive) {
		open_box(b, name, n);
		b->archive = name;
		b->archive_length = n;
	}
	if (n)
		open_box(b, name + n + 1, strlen(name) - n - 2);
	else
		open_box(b, name, strlen(name));
	b->object = name;
	b->any = true;
}

/* What is too small for a leaf of its own. */
struct small {
	uint64_t bytes, count;
};

static void put_small(struct small *s, struct wm_json *j)
{
	char name[48];

	if (s->count) {
		snprintf(name, sizeof(name), "(%" PRIu64 " smaller)", s->count);
		wm_json_flat_object(j, NULL);
		wm_json_text(j, "name", name);
		wm_json_uint(j, "value", s->bytes);
		wm_json_uint(j, "merged", s->count);
		wm_json_end_object(j);
	}
	*s = (struct small){ 0, 0 };
}

static void put_leaf(const struct wm_census_row *r, struct wm_json *j)
{
	char *name = wm_static_name(r->name, 0);

	wm_json_flat_object(j, NULL);
	wm_json_text(j, "name", name ? name : "(padding)");
	wm_json_uint(j, "value", r->bytes);
	wm_json_end_object(j);
	free(name);
}

/* How many of @rows, which have @count, are of the object of the first one;
 * *@bytes: in all. */
static size_t count_object(const struct wm_census_row **rows, size_t count,
			   uint64_t *bytes)
{
	size_t i;

	*bytes = 0;
	for (i = 0; i < count; i++) {
		const char *x = rows[0]->object, *y = rows[i]->object;

		if (x != y && (!x || !y || strcmp(x, y) != 0))
			break;
		*bytes += rows[i]->bytes;
	}
	return i;
}

/* The @count rows of one object; of a small one into @rest. */
static void put_object(struct boxes *b, const struct wm_census_row **rows,
		       size_t count, uint64_t bytes, uint64_t least,
		       struct small *rest)
{
	struct small small = { 0, 0 };
	size_t i;

	if (!bytes)
		return;
	if (bytes < least) {
		rest->bytes += bytes;
		rest->count += count;
		return;
	}
	enter_object(b, rows[0]->object);
	for (i = 0; i < count; i++) {
		if (rows[i]->bytes >= least && rows[i]->bytes) {
			put_leaf(rows[i], b->j);
		} else if (rows[i]->bytes) {
			small.bytes += rows[i]->bytes;
			small.count++;
		}
	}
	put_small(&small, b->j);
}

static void put_section(const struct wm_census *c,
			const struct wm_census_section *s,
			const struct wm_census_row **rows, uint64_t least,
			struct wm_json *j)
{
	struct small rest = { 0, 0 };
	struct boxes b = { .j = j };
	uint64_t bytes;
	size_t i, n;

	for (i = 0; i < s->rows; i++)
		rows[i] = &c->rows[s->first_row + i];
	qsort(rows, s->rows, sizeof(*rows), wm_census_by_object);
	wm_json_object(j, NULL);
	wm_json_text(j, "name", s->name);
	wm_json_array(j, "children");
	for (i = 0; i < s->rows; i += n) {
		n = count_object(rows + i, s->rows - i, &bytes);
		put_object(&b, rows + i, n, bytes, least, &rest);
	}
	if (b.any)
		close_box(&b);
	if (b.archive)
		close_box(&b);
	put_small(&rest, j);
	wm_json_end_array(j);
	wm_json_end_object(j);
}

enum wm_status wm_static_map(const struct wm_census *c, uint64_t least,
			     struct wm_json *j, struct wm_err *err)
{
	const struct wm_census_row **rows = calloc(c->row_count + 1,
						   sizeof(*rows));
	size_t i;

	if (!rows)
		return wm_err_set(err, WM_NO_MEMORY, "no memory");
	wm_json_object(j, "treemap");
	wm_json_text(j, "name", c->program);
	wm_json_array(j, "children");
	for (i = 0; i < c->section_count; i++)
		if (c->sections[i].bytes &&
		    wm_static_is_counted(c->sections[i].class))
			put_section(c, &c->sections[i], rows, least, j);
	wm_json_end_array(j);
	wm_json_end_object(j);
	free(rows);
	return WM_OK;
}
