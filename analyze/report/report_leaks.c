/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --leaks: what was never freed, by site, with the times of the first and the
 * last allocation of it; what runtimes keep stands apart.
 */
#include "analyze/report/reports.h"

#include <stdlib.h>

#include "analyze/answers/functions.h"
#include "analyze/answers/residue.h"
#include "analyze/answers/wrappers.h"
#include "analyze/replay/pass.h"
#include "analyze/report/report.h"
#include "analyze/report/table.h"
#include "analyze/report/text.h"

#define FUNCTIONS_SHOWN 10
#define RUNTIME_SHOWN 5
#define PATHS_SHOWN 3

/* [0]: the program's own, [1]: what runtimes keep. */
struct leaks {
	struct wm_functions part[2];
	uint8_t *group; /* of each path: enum wm_group + 1 */
};

static void leaks_release(struct leaks *l)
{
	wm_functions_release(&l->part[0]);
	wm_functions_release(&l->part[1]);
	free(l->group);
}

/* @fold: what wrappers hold is their callers', as text has it. */
static enum wm_status leaks_make(struct leaks *l, const struct wm_analysis *a,
				 int fold, struct wm_err *err)
{
	size_t n = a->paths.path_count, i;
	struct wm_use *use = calloc(2 * n, sizeof(*use));
	enum wm_status s = WM_OK;
	int k;

	*l = (struct leaks){ .group = calloc(n, 1) };
	if (!use || !l->group) {
		free(use);
		free(l->group);
		l->group = NULL;
		return wm_err_set(err, WM_NO_MEMORY, "no memory");
	}
	for (i = 0; i < n; i++) {
		if (!a->use[i].end_blocks)
			continue;
		l->group[i] = (uint8_t)(wm_residue_group(a->symbols, &a->paths,
							 (uint32_t)i) + 1);
		k = l->group[i] != 0;
		use[k * n + i].peak_bytes = a->use[i].end_bytes;
		use[k * n + i].peak_blocks = a->use[i].end_blocks;
	}
	for (k = 0; k < 2 && !s; k++)
		s = wm_functions_of(&l->part[k], a, use + k * n, err);
	for (k = 0; k < 2; k++) {
		l->part[k].moment = WM_AT_END;
		if (!s && fold)
			s = wm_wrappers_apply(&l->part[k], a, err);
	}
	free(use);
	if (s)
		leaks_release(l);
	return s;
}

static const struct wm_table_column columns[] = {
	{ "bytes", "bytes", WM_UNIT_BYTES },
	{ "blocks", "blocks", WM_UNIT_COUNT },
	{ "first_s", "first", WM_UNIT_SECONDS },
	{ "last_s", "last", WM_UNIT_SECONDS },
	{ "runtime", "of", WM_UNIT_TEXT },
	{ "name", "function", WM_UNIT_TEXT },
	{ "file", NULL, WM_UNIT_TEXT },
	{ "line", NULL, WM_UNIT_NUMBER },
	{ NULL, NULL, 0 },
};

/* A row for each function; several groups of one function: that of the path
 * that holds most. */
static void add_rows(struct wm_table *t, const struct wm_analysis *a,
		     const struct leaks *l, int part)
{
	const struct wm_functions *f = &l->part[part];
	size_t i, k;

	for (i = 0; i < f->count; i++) {
		const struct wm_function *fn = &f->function[i];
		struct wm_life life = { .left = 0 };
		int group = l->group[fn->held[0].path];

		for (k = 0; k < fn->held_count; k++)
			if (a->life && fn->held[k].path < a->life_count)
				wm_life_add(&life,
					    &a->life[fn->held[k].path]);
		wm_table_uint(t, fn->bytes);
		wm_table_uint(t, fn->blocks);
		wm_table_real(t, life.first);
		wm_table_real(t, life.last);
		wm_table_text(t, group ? wm_group_name[group - 1] : NULL);
		wm_table_text(t, fn->name);
		wm_table_text(t, fn->file);
		wm_table_uint(t, fn->line);
	}
}

static enum wm_status put_part(const struct wm_analysis *a,
			       const struct leaks *l, int part, size_t top,
			       const struct wm_opts *o, FILE *out,
			       struct wm_err *err)
{
	struct wm_table t;
	enum wm_status s;

	wm_table_init(&t, columns);
	add_rows(&t, a, l, part);
	s = wm_table_print(&t, o->top_given ? o->top : top, o, out, err);
	wm_table_release(&t);
	return s;
}

static enum wm_status put_text(const struct wm_analysis *a,
			       const struct leaks *l, const struct wm_opts *o,
			       FILE *out, struct wm_err *err)
{
	const struct wm_functions *own = &l->part[0], *kept = &l->part[1];
	enum wm_status s = WM_OK;
	struct wm_buf b, c;

	if (own->count) {
		putc('\n', out);
		wm_heading(o, out, "Of the program: %s in %s, with the "
			   "times of the first and last allocation",
			   wm_bytes(&b, own->bytes), wm_blocks(&c, own->blocks));
		s = put_part(a, l, 0, FUNCTIONS_SHOWN, o, out, err);
	}
	if (!s && kept->count) {
		putc('\n', out);
		wm_heading(o, out, "Kept by runtimes (libc, MPI ...), no leaks "
			   "of the program: %s in %s",
			   wm_bytes(&b, kept->bytes),
			   wm_blocks(&c, kept->blocks));
		s = put_part(a, l, 1, RUNTIME_SHOWN, o, out, err);
	}
	if (!s && own->count) {
		putc('\n', out);
		wm_heading(o, out, "Call paths of the program's");
		wm_text_functions(a, own, o->top_given ? o->top :
				  FUNCTIONS_SHOWN, PATHS_SHOWN, o, out);
	}
	return s;
}

static enum wm_status leaks_text(const struct wm_analysis *a,
				 const struct wm_opts *o, FILE *out,
				 struct wm_err *err)
{
	struct wm_buf b, c, d;
	struct leaks l;
	enum wm_status s;

	s = leaks_make(&l, a, 1, err);
	if (s)
		return s;
	wm_heading(o, out, "%s  run %s: %s in %s never freed by %s",
		   a->name, a->id,
		   wm_bytes(&b, l.part[0].bytes + l.part[1].bytes),
		   wm_blocks(&c, l.part[0].blocks + l.part[1].blocks),
		   wm_chosen(&d, a));
	wm_text_notes(a, o, out);
	s = put_text(a, &l, o, out, err);
	leaks_release(&l);
	return s;
}

static void put_sum(const struct wm_functions *f, const char *key,
		    struct wm_json *j)
{
	wm_json_flat_object(j, key);
	wm_json_uint(j, "bytes", f->bytes);
	wm_json_uint(j, "blocks", f->blocks);
	wm_json_end_object(j);
}

/* The raw rows of both parts; on WM_OK the caller releases @l and @t. */
static enum wm_status make_table(struct wm_table *t, struct leaks *l,
				 const struct wm_analysis *a,
				 struct wm_err *err)
{
	enum wm_status s = leaks_make(l, a, 0, err);

	if (s)
		return s;
	wm_table_init(t, columns);
	add_rows(t, a, l, 0);
	add_rows(t, a, l, 1);
	return WM_OK;
}

static enum wm_status leaks_json(const struct wm_analysis *a,
				 const struct wm_opts *o, struct wm_json *j,
				 struct wm_err *err)
{
	struct wm_table t;
	struct leaks l;
	enum wm_status s;

	(void)o;
	s = make_table(&t, &l, a, err);
	if (s)
		return s;
	wm_json_object(j, "never_freed");
	put_sum(&l.part[0], "program", j);
	put_sum(&l.part[1], "runtime", j);
	s = wm_table_json(&t, "sites", j, err);
	wm_json_end_object(j);
	wm_table_release(&t);
	leaks_release(&l);
	return s;
}

static enum wm_status leaks_csv(const struct wm_analysis *a,
				const struct wm_opts *o, FILE *out,
				struct wm_err *err)
{
	struct wm_table t;
	struct leaks l;
	enum wm_status s;

	(void)o;
	s = make_table(&t, &l, a, err);
	if (s)
		return s;
	s = wm_table_csv(&t, out, err);
	wm_table_release(&t);
	leaks_release(&l);
	return s;
}

const struct wm_report wm_leaks_report = {
	.name = "leaks",
	.help = "what was never freed, and when it was allocated",
	.needs = WM_NEEDS(heap) | WM_NEEDS(life),
	.text = leaks_text,
	.json = leaks_json,
	.csv = leaks_csv,
};
