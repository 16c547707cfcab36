/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --leaks: memory that was never freed, by site, with the times of its first
 * and last allocation, whether it grows (trends.h), and the ranks that have it.
 * Three kinds of memory are listed apart: memory that runtimes keep, blocks
 * that may be a library's or the program's, and memory that ranks, with their
 * runtimes, held when they were killed.
 */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analyze/answers/leaks/trends.h"
#include "analyze/render/table.h"
#include "analyze/answers/summary/notes_json.h"
#include "analyze/answers/leaks/leak_growth.h"
#include "analyze/answers/leaks/leak_parts.h"
#include "analyze/answers/report.h"
#include "analyze/answers/text.h"
#include "input/path.h"

#define FUNCTIONS_SHOWN 10
#define RUNTIME_SHOWN 5
#define PATHS_SHOWN 3
#define NAMED_ROWS 1000 /* rows that are searched for equal names */
#define NAME_TEXT 200 /* bytes of each name in a call */
#define CALL_TEXT (4 * NAME_TEXT + 40)

static void add_ranks(struct wm_leak_parts *l, const struct wm_function *f,
		      size_t part)
{
	const struct wm_sum *sum = &l->a->sum;

	for (size_t k = 0; k < f->held_count; k++)
		wm_share_sum_add(&l->sum,
				 part < WM_LEAK_HELD ? &sum->left : &sum->cut,
				 f->held[k].path);
}

static struct wm_shared who_has(struct wm_leak_parts *l,
				const struct wm_function *f, size_t part)
{
	if (l->a->chosen != WM_ALL_RANKS)
		return (struct wm_shared){
			.ranks = 1,
			.most = f->bytes,
			.rank = l->a->ranks[l->a->chosen].rank,
		};
	add_ranks(l, f, part);
	return wm_share_sum_take(&l->sum);
}

static const struct wm_table_column columns[] = {
	{ "bytes", "bytes", WM_UNIT_BYTES },
	{ "blocks", "blocks", WM_UNIT_COUNT },
	{ "first_s", "first at", WM_UNIT_SECONDS },
	{ "last_s", "last at", WM_UNIT_SECONDS },
	{ "ranks", "ranks", WM_UNIT_COUNT },
	{ "max_rank", "most in rank", WM_UNIT_NUMBER },
	{ "max_rank_bytes", NULL, WM_UNIT_BYTES },
	{ "held", NULL, WM_UNIT_NUMBER },
	{ "runtime", "kept by", WM_UNIT_TEXT },
	{ "growth", "growth", WM_UNIT_TEXT },
	{ "name", "function", WM_UNIT_TEXT },
	{ "file", NULL, WM_UNIT_TEXT },
	{ "line", NULL, WM_UNIT_NUMBER },
	{ "handles", NULL, WM_UNIT_NUMBER },
	{ "made_by", NULL, WM_UNIT_TEXT },
};

/* Returns the word for the growth of the memory of @f in @part, or of its
 * handles if only these grow. */
static const char *growth_of_row(const struct wm_leak_parts *l,
				 const struct wm_function *f, size_t part)
{
	const uint8_t *trend = part < WM_LEAK_HELD ? l->handles.trend :
						     l->held_trend;
	enum wm_trend handles = WM_TREND_ONCE, memory = WM_TREND_ONCE;
	bool any = false;

	for (size_t k = 0; k < f->held_count; k++) {
		uint32_t path = f->held[k].path;
		enum wm_trend of = (enum wm_trend)trend[path];
		bool handle = wm_handles_has(&l->handles, l->a->use, path);
		enum wm_trend *most = handle ? &handles : &memory;

		*most = of > *most ? of : *most;
		any |= !handle;
	}
	if (!any)
		return wm_leak_growth_word(handles);
	return memory < WM_TREND_GROWS && handles == WM_TREND_GROWS ?
		       "handles" :
		       wm_leak_growth_word(memory);
}

static void put_shared(struct wm_table *t, const struct wm_shared *s)
{
	wm_table_uint(t, s->ranks);
	/* handles have no memory, so no rank has most of their bytes */
	WM_TABLE_ADD(t, wm_known(!s->at_least && s->most, s->rank),
		     wm_known(!s->at_least, s->most));
}

/* The time is unknown for memory that MPI_Finalize freed. */
static void put_time(struct wm_table *t, const struct wm_lifetime *lifetime,
		     double seconds)
{
	WM_TABLE_ADD(t, wm_known_real(lifetime->left != 0, seconds));
}

/* Returns the group of the path of @f that holds most. */
static enum wm_group group_of(const struct wm_leak_parts *l,
			      const struct wm_function *f)
{
	uint8_t group = l->group[f->held[0].path];

	return group ? (enum wm_group)(group - 1) : WM_GROUP_none;
}

/* Returns the name of row @i for people, with file and line if another of the
 * first rows has a function of that name. */
static const char *name_of_row(const struct wm_functions *f, size_t i,
			       char buf[CALL_TEXT])
{
	const struct wm_function *fn = &f->function[i];
	size_t n = f->count < NAMED_ROWS ? f->count : NAMED_ROWS, k;

	for (k = 0; k < n; k++)
		if (k != i && strcmp(f->function[k].name, fn->name) == 0)
			break;
	if (k == n || !fn->file || !fn->line)
		return fn->name;
	snprintf(buf, CALL_TEXT, "%.*s  %.*s:%u", NAME_TEXT, fn->name,
		 NAME_TEXT, wm_basename(fn->file), fn->line);
	return buf;
}

/* Adds a row for each function, libraries before runtimes. */
static void add_rows(struct wm_table *t, struct wm_leak_parts *l, size_t part,
		     bool libraries, bool people)
{
	const struct wm_functions *f = &l->part[part];

	for (size_t i = 0; i < f->count; i++) {
		const struct wm_function *fn = &f->function[i];
		struct wm_lifetime lifetime = wm_leak_part_lifetime(l, fn,
								    part);
		enum wm_group group = group_of(l, fn);
		const char *keeper = NULL;
		char buf[CALL_TEXT];
		struct wm_shared has;
		uint64_t handles;
		const struct wm_lost_handles *lost = wm_handles_of(&l->handles,
								   fn,
								   &handles);

		if ((group == WM_GROUP_library) != libraries)
			continue;
		has = who_has(l, fn, part);
		WM_TABLE_ADD(t, fn->bytes, fn->blocks);
		put_time(t, &lifetime, lifetime.first);
		put_time(t, &lifetime, lifetime.last);
		put_shared(t, &has);
		wm_table_uint(t, part >= WM_LEAK_HELD);
		if (group != WM_GROUP_none)
			keeper = part == WM_LEAK_UNKNOWN ? "unknown" :
							   wm_group_name[group];
		WM_TABLE_ADD(t, keeper, growth_of_row(l, fn, part),
			     people ? name_of_row(f, i, buf) : fn->name,
			     fn->file, fn->line,
			     wm_known(lost && (handles || !lost->library),
				      handles),
			     lost ? lost->maker : NULL);
	}
}

/* Returns the columns for people: rows of runtimes have no times, which do not
 * matter, and rows of the program's memory have no runtime. */
static const char *view_of(const struct wm_leak_parts *l, size_t first,
			   size_t last)
{
	bool all = l->a->chosen == WM_ALL_RANKS;

	if (first == WM_LEAK_RUNTIME)
		return all ? "bytes blocks ranks max_rank growth runtime name" :
			     "bytes blocks growth runtime name";
	if (last == WM_LEAK_OWN)
		return all ? "bytes blocks first_s last_s ranks max_rank "
			     "growth name" :
			     "bytes blocks first_s last_s growth name";
	return all ? "bytes blocks first_s last_s ranks max_rank growth "
		     "runtime name" :
		     "bytes blocks first_s last_s growth runtime name";
}

static void put_parts(struct wm_leak_parts *l, size_t first, size_t last,
		      const char *key, size_t top, unsigned audience,
		      struct wm_doc *d)
{
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	wm_table_level(&t, view_of(l, first, last), 0, NULL);
	t.spare = "first_s last_s max_rank ranks runtime";
	t.data_view = t.csv_view = "bytes blocks first_s last_s ranks max_rank "
				   "max_rank_bytes held runtime name file line "
				   "growth handles made_by";
	for (size_t part = first; part <= last; part++) {
		add_rows(&t, l, part, true, audience == WM_FOR_TEXT);
		add_rows(&t, l, part, false, audience == WM_FOR_TEXT);
	}
	wm_doc_table(d, &t, key, top, audience);
}

static struct wm_shared all_who_have(struct wm_leak_parts *l, size_t first,
				     size_t last)
{
	for (size_t part = first; part <= last; part++)
		for (size_t i = 0; i < l->part[part].count; i++)
			add_ranks(l, &l->part[part].function[i], part);
	return wm_share_sum_take(&l->sum);
}

/* Returns ", in 3 ranks, most in rank 2 (10.0 MiB)", or "" for one rank. */
#define RANKS_TEXT 160
static const char *ranks_of(struct wm_leak_parts *l, size_t first, size_t last,
			    char buf[RANKS_TEXT])
{
	struct wm_shared s;
	struct wm_figure b, c;

	buf[0] = 0;
	if (l->a->chosen != WM_ALL_RANKS)
		return buf;
	s = all_who_have(l, first, last);
	wm_text_shared(&s, wm_bytes(&b, s.most), wm_count(&c, s.ranks), buf,
		       RANKS_TEXT);
	return buf;
}

/* Returns "10.0 MiB in 3 blocks". */
#define SUM_TEXT 104
static const char *sum_of(const struct wm_leak_parts *l, size_t first,
			  size_t last, char buf[SUM_TEXT])
{
	struct wm_leak_sum sum = wm_leak_parts_sum(l, first, last);
	struct wm_figure b, c;

	snprintf(buf, SUM_TEXT, "%s in %s", wm_bytes(&b, sum.bytes),
		 wm_blocks(&c, sum.blocks));
	return buf;
}

/* Adds a note about blocks of the main program, for which gfortran, for one,
 * makes no code that frees them. */
static void put_main_program(const struct wm_functions *f, struct wm_doc *d)
{
	for (size_t i = 0; i < f->count; i++) {
		const struct wm_symbol *s = f->function[i].symbol;

		if (!s || !s->linkage || strcmp(s->linkage, "MAIN__") != 0)
			continue;
		wm_doc_print(d,
			     "  %s is the main program in Fortran: its "
			     "allocatables live until the end, which is no "
			     "error\n",
			     f->function[i].name);
		return;
	}
}

/* "MPI_Comm_dup in step, app.c:4" */
static const char *call_text(const struct wm_lost_handles *h,
			     char buf[CALL_TEXT])
{
	const struct wm_symbol *s = h->caller.symbol;
	int n = snprintf(buf, CALL_TEXT, "%.*s%s%.*s in %.*s", NAME_TEXT,
			 h->maker, h->by ? " by " : "", NAME_TEXT,
			 h->by ? h->by : "", NAME_TEXT, s->name);

	if (s->file && s->line)
		snprintf(buf + n, (size_t)(CALL_TEXT - n), ", %.*s:%u",
			 NAME_TEXT, wm_basename(s->file), s->line);
	return buf;
}

static void put_lost(const struct wm_lost_handles *h, struct wm_doc *d)
{
	const char *what = h->library ? "object" : "handle";
	char call[CALL_TEXT];
	struct wm_figure b, c;

	call_text(h, call);
	if (!h->handles && h->library)
		wm_doc_print(d, "  %s of %s %s not freed: %s%s\n",
			     wm_blocks(&b, h->blocks), call,
			     h->blocks == 1 ? "was" : "were",
			     h->at_least ? "at least " : "",
			     wm_bytes(&c, h->bytes));
	else if (h->handles)
		wm_doc_print(d, "  %s%s %s%s of %s %s not freed%s%s%s\n",
			     h->more ? "At least " : "",
			     wm_count(&b, h->handles), what,
			     h->handles == 1 ? "" : "s", call,
			     h->handles == 1 ? "was" : "were",
			     h->bytes ? ": " : "",
			     h->bytes && h->at_least ? "at least " : "",
			     h->bytes ? wm_bytes(&c, h->bytes) : "");
}

/* Lists handles of MPI and of other libraries by the program's calls. */
static void put_handles(const struct wm_leak_parts *l, size_t top,
			struct wm_doc *d)
{
	size_t n = l->handles.count, i;
	bool pooled = false;

	for (i = 0; i < n && (i < top || !top); i++) {
		put_lost(&l->handles.lost[i], d);
		pooled |= !l->handles.lost[i].bytes && !l->handles.lost[i].hdf5;
	}
	if (i < n)
		wm_doc_print(d, "  by %zu more call%s, too (--top all)\n",
			     n - i, n - i == 1 ? "" : "s");
	if (pooled)
		wm_doc_print(d, "  The memory of handles without bytes is not "
				"known: it is part of what MPI keeps\n");
}

static void put_own(struct wm_leak_parts *l, const struct wm_opts *o,
		    struct wm_doc *d)
{
	const struct wm_functions *f = &l->part[WM_LEAK_OWN];
	struct wm_leak_growth growth = wm_leak_growth_of(f, l->handles.trend,
							 l->a);
	char sum[SUM_TEXT], ranks[RANKS_TEXT];
	const char *whose;

	if (!f->count)
		return;
	if (!wm_handles_count(&l->handles, &whose) || f->bytes)
		wm_doc_heading(d, "The program's: %s%s",
			       sum_of(l, WM_LEAK_OWN, WM_LEAK_OWN, sum),
			       ranks_of(l, WM_LEAK_OWN, WM_LEAK_OWN, ranks));
	else
		wm_doc_heading(d, "The program's: handles of %s", whose);
	wm_leak_growth_print(&growth, f->bytes, d);
	put_handles(l, wm_top(o, FUNCTIONS_SHOWN), d);
	put_main_program(f, d);
	put_parts(l, WM_LEAK_OWN, WM_LEAK_OWN, NULL, wm_top(o, FUNCTIONS_SHOWN),
		  WM_FOR_TEXT, d);
}

static void put_unknown_call(const struct wm_lost_handles *h, struct wm_doc *d)
{
	char call[CALL_TEXT];
	struct wm_figure b, c;

	if (!h->library) {
		wm_doc_print(d, "  %s handle%s of %s\n",
			     wm_count(&b, h->handles),
			     h->handles == 1 ? "" : "s", call_text(h, call));
		return;
	}
	wm_doc_print(d, "  %s in %s of %s\n", wm_bytes(&b, h->bytes),
		     wm_blocks(&c, h->blocks), call_text(h, call));
}

/* Lists memory that either a library keeps, or that belongs to objects that the
 * program did not give back. */
static void put_doubtful(struct wm_leak_parts *l, const struct wm_opts *o,
			 struct wm_doc *d)
{
	const struct wm_functions *f = &l->part[WM_LEAK_UNKNOWN];
	size_t shown = wm_top(o, FUNCTIONS_SHOWN), i;
	char sum[SUM_TEXT], ranks[RANKS_TEXT];

	if (!f->count)
		return;
	if (f->bytes)
		wm_doc_heading(d, "Owner not known: %s%s",
			       sum_of(l, WM_LEAK_UNKNOWN, WM_LEAK_UNKNOWN, sum),
			       ranks_of(l, WM_LEAK_UNKNOWN, WM_LEAK_UNKNOWN,
					ranks));
	else
		wm_doc_heading(d, "Owner not known: handles of MPI");
	wm_doc_print(d, "  Left once below calls of libraries: a library "
			"keeps it, or the program did not give an object "
			"back:\n");
	for (i = 0; i < l->handles.unknown && i < shown; i++)
		put_unknown_call(&l->handles.lost[l->handles.count + i], d);
	if (i < l->handles.unknown)
		wm_doc_print(d, "  ... %zu more (--top all)\n",
			     l->handles.unknown - i);
}

static void put_held(struct wm_leak_parts *l, const struct wm_opts *o,
		     struct wm_doc *d)
{
	char sum[SUM_TEXT], ranks[RANKS_TEXT];

	if (!l->part[WM_LEAK_HELD].count &&
	    !l->part[WM_LEAK_HELD_RUNTIME].count)
		return;
	wm_doc_heading(d, "%s: %s%s", wm_held_when(l->a),
		       sum_of(l, WM_LEAK_HELD, WM_LEAK_HELD_RUNTIME, sum),
		       ranks_of(l, WM_LEAK_HELD, WM_LEAK_HELD_RUNTIME, ranks));
	put_parts(l, WM_LEAK_HELD, WM_LEAK_HELD_RUNTIME, NULL,
		  wm_top(o, FUNCTIONS_SHOWN), WM_FOR_TEXT, d);
}

static void put_kept(struct wm_leak_parts *l, const struct wm_opts *o,
		     struct wm_doc *d)
{
	char sum[SUM_TEXT];

	if (!l->part[WM_LEAK_RUNTIME].count)
		return;
	wm_doc_heading(d,
		       "Kept by runtimes and libraries (libc, MPI ...), "
		       "not known to be leaks of the program: %s",
		       sum_of(l, WM_LEAK_RUNTIME, WM_LEAK_RUNTIME, sum));
	put_parts(l, WM_LEAK_RUNTIME, WM_LEAK_RUNTIME, NULL,
		  wm_top(o, RUNTIME_SHOWN), WM_FOR_TEXT, d);
}

/* Lists the call paths of leaks or, if there are none, those of held memory. */
static void put_paths(const struct wm_leak_parts *l, const struct wm_opts *o,
		      struct wm_doc *d)
{
	const struct wm_functions *f =
		&l->part[l->part[WM_LEAK_OWN].count ? WM_LEAK_OWN :
						      WM_LEAK_HELD];

	if (!f->count)
		return;
	wm_doc_heading(d, "Call paths of what the program %s",
		       f == &l->part[WM_LEAK_OWN] ? "never freed" : "held");
	wm_text_functions(l->a, f, wm_top(o, FUNCTIONS_SHOWN), PATHS_SHOWN, d);
}

static bool handles_are_unseen(const struct wm_analysis *a)
{
	for (size_t i = 0; i < a->rank_count; i++)
		if (wm_analysis_origin(a, i)->handles_unseen)
			return true;
	return false;
}

/* Returns whether all traces were cut, so that blocks may have been freed
 * later. */
static bool is_all_cut(const struct wm_analysis *a)
{
	return a->chosen == WM_ALL_RANKS ? a->cut_ranks == a->rank_count :
					   wm_rank_is_cut(&a->ranks[a->chosen]);
}

static void put_people(struct wm_leak_parts *l, const struct wm_opts *o,
		       struct wm_doc *d)
{
	char sum[SUM_TEXT];
	struct wm_figure e;

	if (is_all_cut(l->a))
		wm_doc_title(d,
			     "%s  run %s: what %s never freed is not known: %s",
			     l->a->name, l->a->id, wm_chosen(&e, l->a),
			     l->a->chosen == WM_ALL_RANKS ?
				     "their traces ended early" :
				     "its trace ended early");
	else
		wm_doc_title(d, "%s  run %s: %s never freed by %s", l->a->name,
			     l->a->id,
			     sum_of(l, WM_LEAK_OWN, WM_LEAK_RUNTIME, sum),
			     wm_chosen(&e, l->a));
	wm_text_notes(l->a, d);
	if (handles_are_unseen(l->a))
		wm_doc_print(d, "Handles of MPI (communicators, datatypes, "
				"requests ...) were not looked at, and whether "
				"some were lost is not known: the program was "
				"linked by wm-config or with WM_MPICC, or its "
				"libraries use the MPI that it contains\n");
	put_own(l, o, d);
	put_doubtful(l, o, d);
	put_held(l, o, d);
	put_kept(l, o, d);
	put_paths(l, o, d);
}

static void put_program(struct wm_leak_parts *l, struct wm_json *j)
{
	const struct wm_functions *f = &l->part[WM_LEAK_OWN];
	struct wm_shared has = { .ranks = f->count != 0 };
	struct wm_leak_growth growth = wm_leak_growth_of(f, l->handles.trend,
							 l->a);

	if (l->a->chosen == WM_ALL_RANKS)
		has = all_who_have(l, WM_LEAK_OWN, WM_LEAK_OWN);
	else
		has.rank = l->a->ranks[l->a->chosen].rank;
	WM_JSON_ROW(j, "program",
		    "bytes blocks grows_bytes ranks growth max_rank", f->bytes,
		    wm_leak_parts_sum(l, WM_LEAK_OWN, WM_LEAK_OWN).blocks,
		    growth.bytes[WM_TREND_GROWS], has.ranks,
		    wm_leak_growth_word(growth.most),
		    wm_known(has.ranks && !has.at_least, has.rank));
}

static void put_sum(const struct wm_leak_parts *l, const char *key,
		    size_t first, size_t last, struct wm_json *j)
{
	struct wm_leak_sum sum = wm_leak_parts_sum(l, first, last);

	WM_JSON_ROW(j, key, "bytes blocks", sum.bytes, sum.blocks);
}

static void put_data(struct wm_leak_parts *l, struct wm_doc *d)
{
	struct wm_json *j = &d->data;

	wm_json_object(j, "never_freed");
	wm_json_rank(j, l->a);
	wm_json_bool(j, "handles_known", !handles_are_unseen(l->a));
	put_program(l, j);
	put_sum(l, "unknown", WM_LEAK_UNKNOWN, WM_LEAK_UNKNOWN, j);
	put_sum(l, "runtime", WM_LEAK_RUNTIME, WM_LEAK_RUNTIME, j);
	put_sum(l, "held", WM_LEAK_HELD, WM_LEAK_HELD_RUNTIME, j);
	put_parts(l, WM_LEAK_OWN, WM_LEAK_RUNTIME, "sites", 0, WM_FOR_DATA, d);
	put_parts(l, WM_LEAK_HELD, WM_LEAK_HELD_RUNTIME, "held_sites", 0,
		  WM_FOR_DATA, d);
	wm_json_end_object(j);
}

static enum wm_status leaks_build(const struct wm_analysis *a,
				  const struct wm_opts *o, struct wm_doc *d,
				  struct wm_err *err)
{
	enum wm_status s = WM_OK;
	struct wm_leak_parts l;

	if (wm_doc_wants(d, WM_FOR_TEXT)) {
		s = wm_leak_parts_make(&l, a, o, true, err);
		if (s)
			return s;
		put_people(&l, o, d);
		wm_leak_parts_release(&l);
	}
	if (!wm_doc_wants(d, WM_FOR_DATA | WM_FOR_CSV))
		return s;
	s = wm_leak_parts_make(&l, a, o, false, err);
	if (s)
		return s;
	if (wm_doc_wants(d, WM_FOR_DATA))
		put_data(&l, d);
	if (wm_doc_wants(d, WM_FOR_CSV))
		put_parts(&l, WM_LEAK_OWN, WM_LEAK_HELD_RUNTIME, NULL, 0,
			  WM_FOR_CSV, d);
	wm_leak_parts_release(&l);
	return WM_OK;
}

const struct wm_report wm_leaks_report = {
	.name = "leaks",
	.help = "memory that was never freed, and when it was allocated",
	.needs = WM_NEEDS(heap) | WM_NEEDS(lifetime),
	.retains = WM_RETAINS(all),
	.build = leaks_build,
};
