/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --leaks: what was never freed, by site, with the times of the first and the
 * last allocation of it, whether it grows (trends.h), and who of the ranks has
 * it.  Memory that runtimes keep is listed apart, and so are blocks of
 * libraries that may be theirs or the program's, and what ranks held when they
 * were killed, runtimes too.
 */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/job/sum.h"
#include "analyze/answers/heap/functions.h"
#include "analyze/answers/leaks/handles.h"
#include "analyze/answers/heap/forwarders.h"
#include "analyze/answers/leaks/trends.h"
#include "analyze/render/table.h"
#include "analyze/answers/summary/notes_json.h"
#include "analyze/answers/leaks/leak_growth.h"
#include "analyze/answers/report.h"
#include "analyze/answers/text.h"
#include "input/path.h"

#define FUNCTIONS_SHOWN 10
#define RUNTIME_SHOWN 5
#define PATHS_SHOWN 3
#define NAMED_ROWS 1000 /* so many rows are looked at for equal names */
#define NAME_TEXT 200 /* of the names of a call */
#define CALL_TEXT (4 * NAME_TEXT + 40)

/* The parts of the list: the program's, of libraries that of which the owner is
 * not known, that of runtimes, and the first and the last once more of ranks
 * whose traces ended before they did. */
enum { OWN, UNKNOWN, RUNTIME, HELD, HELD_RUNTIME, PARTS };

struct leaks {
	const struct wm_analysis *a; /* of the chosen rank, or of all */
	struct wm_analysis view;
	struct wm_functions part[PARTS];
	uint8_t *group; /* of each path: enum wm_group + 1 */
	struct wm_handles handles; /* the program's */
	uint8_t *held_trend; /* as handles.trend, of HELD and HELD_RUNTIME */
	struct wm_share_sum sum; /* of all ranks; without ranks: of one */
};

static void leaks_release(struct leaks *l)
{
	for (size_t k = 0; k < PARTS; k++)
		wm_functions_release(&l->part[k]);
	wm_share_sum_release(&l->sum);
	wm_handles_release(&l->handles);
	free(l->held_trend);
	free(l->group);
}

/* The blocks of part @k without those that stand for handles, which have no
 * memory. */
static uint64_t blocks_of(const struct leaks *l, size_t k)
{
	const struct wm_functions *f = &l->part[k];
	uint64_t n = f->blocks;

	for (size_t i = 0; i < f->held_count; i++)
		if (l->a->use[f->held[i].path].maker)
			n -= f->held[i].blocks;
	return n;
}

/* Share what was never freed out to the parts, path by path. */
static void split_uses(struct leaks *l, struct wm_use *use)
{
	const struct wm_analysis *a = l->a;
	size_t n = a->paths.path_count, i;

	for (i = 0; i < n; i++) {
		const struct wm_use *u = &a->use[i];
		enum wm_group g;
		size_t k;

		if (!u->end_blocks && !l->handles.of_path[i] &&
		    !(u->maker &&
		      wm_handles_is_unknown(&l->handles, (uint32_t)i)))
			continue;
		g = wm_handles_group(&l->handles, a, (uint32_t)i);
		l->group[i] = (uint8_t)(g + 1);
		k = g == WM_GROUP_none				    ? OWN :
		    wm_handles_is_unknown(&l->handles, (uint32_t)i) ? UNKNOWN :
								      RUNTIME;
		use[k * n + i].peak_bytes = wm_handles_bytes(&l->handles,
							     a->use, i);
		use[k * n + i].peak_blocks = wm_handles_blocks(&l->handles,
							       a->use, i);
		k = k == OWN ? HELD : HELD_RUNTIME;
		use[k * n + i].peak_bytes = u->held_bytes;
		use[k * n + i].peak_blocks = u->held_blocks;
	}
}

/* A chosen rank that was cut holds all of it. */
static enum wm_status find_held_trends(struct leaks *l, struct wm_err *err)
{
	const struct wm_analysis *a = l->a;

	if (!l->held_trend)
		return wm_no_memory(err, NULL);
	if (a->chosen != WM_ALL_RANKS) {
		memcpy(l->held_trend, l->handles.trend, a->paths.path_count);
		return WM_OK;
	}
	return wm_trends_find(l->held_trend, a, a->use, a->sum.held,
			      a->sum.held_count, WM_LEFT_HELD, err);
}

/* The functions of each part.  @fold: leaks_make(). */
static enum wm_status make_parts(struct leaks *l, const struct wm_use *use,
				 bool fold, struct wm_err *err)
{
	size_t n = l->a->paths.path_count, k;
	enum wm_status s = WM_OK;

	for (k = 0; k < PARTS && !s; k++)
		s = wm_functions_of(&l->part[k], l->a, use + k * n, err);
	for (k = 0; k < PARTS; k++) {
		l->part[k].moment = WM_AT_END;
		if (!s && fold)
			s = wm_forwarders_apply(&l->part[k], l->a, err);
		if (!s && k <= UNKNOWN)
			s = wm_handles_apply(&l->handles, &l->part[k], l->a,
					     err);
	}
	return s;
}

/* @fold: what forwarders hold is their callers', as text has it. */
static enum wm_status leaks_make(struct leaks *l, const struct wm_analysis *a,
				 const struct wm_opts *o, bool fold,
				 struct wm_err *err)
{
	size_t n = a->paths.path_count;
	struct wm_use *use = calloc(PARTS * n, sizeof(*use));
	enum wm_status s = WM_OK;

	memset(l, 0, sizeof(*l));
	l->a = wm_sum_view(&l->view, a, o->rank_given);
	l->group = calloc(n, 1);
	l->held_trend = calloc(n, 1);
	if (!use || !l->group)
		s = wm_no_memory(err, NULL);
	if (!s && l->a->chosen == WM_ALL_RANKS)
		s = wm_share_sum_init(&l->sum, a->sum.rank, a->sum.ranks, err);
	if (!s)
		s = wm_handles_find(&l->handles, l->a, l->a->use,
				    l->a->lifetime, l->a->lifetime_count, err);
	if (!s)
		s = find_held_trends(l, err);
	if (!s) {
		split_uses(l, use);
		s = make_parts(l, use, fold, err);
	}
	free(use);
	if (s)
		leaks_release(l);
	return s;
}

/* Add the ranks of what @f has in @part. */
static void add_ranks(struct leaks *l, const struct wm_function *f, size_t part)
{
	const struct wm_sum *sum = &l->a->sum;

	for (size_t k = 0; k < f->held_count; k++)
		wm_share_sum_add(&l->sum, part < HELD ? &sum->left : &sum->cut,
				 f->held[k].path);
}

/* The ranks that have @f of @part; a chosen rank is the only one. */
static struct wm_shared who_has(struct leaks *l, const struct wm_function *f,
				size_t part)
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

static enum wm_trend trend_of(const struct leaks *l, uint32_t path, size_t part)
{
	return part < HELD ? l->handles.trend[path] : l->held_trend[path];
}

/* That of the memory of @f in @part, and whether only handles that it made
 * grow. */
static const char *growth_of_row(const struct leaks *l,
				 const struct wm_function *f, size_t part)
{
	enum wm_trend handles = WM_TREND_ONCE, memory = WM_TREND_ONCE;
	bool any = false;
	size_t k;

	for (k = 0; k < f->held_count; k++) {
		uint32_t path = f->held[k].path;
		enum wm_trend of = trend_of(l, path, part);
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

/* When what @f has in @part was allocated, first and last. */
static struct wm_lifetime lifetime_of(const struct leaks *l,
				      const struct wm_function *f, size_t part)
{
	const struct wm_analysis *a = l->a;
	bool held = a->chosen == WM_ALL_RANKS && part >= HELD;
	const struct wm_lifetime *of = held ? a->sum.held : a->lifetime;
	size_t count = held ? a->sum.held_count : a->lifetime_count, k;
	struct wm_lifetime lifetime = { .left = 0 };

	for (k = 0; of && k < f->held_count; k++)
		if (f->held[k].path < count)
			wm_lifetime_add(&lifetime, &of[f->held[k].path]);
	return lifetime;
}

static void put_shared(struct wm_table *t, const struct wm_shared *s)
{
	wm_table_uint(t, s->ranks);
	/* handles without memory: no rank has most of no bytes */
	WM_TABLE_ADD(t, wm_known(!s->at_least && s->most, s->rank),
		     wm_known(!s->at_least, s->most));
}

/* The time is unknown for memory that MPI_Finalize freed. */
static void put_time(struct wm_table *t, const struct wm_lifetime *lifetime,
		     double seconds)
{
	if (lifetime->left)
		wm_table_real(t, seconds);
	else
		wm_table_none(t);
}

/* Several groups of one function: that of the path that holds most. */
static enum wm_group group_of(const struct leaks *l,
			      const struct wm_function *f)
{
	uint8_t group = l->group[f->held[0].path];

	return group ? (enum wm_group)(group - 1) : WM_GROUP_none;
}

/* People get the line, too, where a function of that name is in another of the
 * first rows. */
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

/* A row for each function, those of libraries before those of runtimes. */
static void add_rows(struct wm_table *t, struct leaks *l, size_t part,
		     bool libraries, bool people)
{
	const struct wm_functions *f = &l->part[part];

	for (size_t i = 0; i < f->count; i++) {
		const struct wm_function *fn = &f->function[i];
		struct wm_lifetime lifetime = lifetime_of(l, fn, part);
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
		wm_table_uint(t, part >= HELD);
		if (group != WM_GROUP_none)
			keeper = part == UNKNOWN ? "unknown" :
						   wm_group_name[group];
		WM_TABLE_ADD(t, keeper, growth_of_row(l, fn, part),
			     people ? name_of_row(f, i, buf) : fn->name,
			     fn->file, fn->line,
			     wm_known(lost && (handles || !lost->library),
				      handles),
			     lost ? lost->maker : NULL);
	}
}

/* Columns for people.  The time at which a runtime took its memory does not
 * matter, and no runtime keeps the program's memory. */
static const char *view_of(const struct leaks *l, size_t first, size_t last)
{
	bool all = l->a->chosen == WM_ALL_RANKS;

	if (first == RUNTIME)
		return all ? "bytes blocks ranks max_rank growth runtime name" :
			     "bytes blocks growth runtime name";
	if (last == OWN)
		return all ? "bytes blocks first_s last_s ranks max_rank "
			     "growth name" :
			     "bytes blocks first_s last_s growth name";
	return all ? "bytes blocks first_s last_s ranks max_rank growth "
		     "runtime name" :
		     "bytes blocks first_s last_s growth runtime name";
}

/* The rows of parts @first to @last. */
static void put_parts(struct leaks *l, size_t first, size_t last,
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

/* The ranks that have anything of parts @first to @last. */
static struct wm_shared all_who_have(struct leaks *l, size_t first, size_t last)
{
	for (size_t part = first; part <= last; part++)
		for (size_t i = 0; i < l->part[part].count; i++)
			add_ranks(l, &l->part[part].function[i], part);
	return wm_share_sum_take(&l->sum);
}

/* ", in 3 ranks, most in rank 2 (10.0 MiB)"; nothing for one rank. */
#define RANKS_TEXT 160
static const char *ranks_of(struct leaks *l, size_t first, size_t last,
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

/* gfortran, for one, has no code that frees these. */
static void put_main_program(const struct wm_functions *f, struct wm_doc *d)
{
	for (size_t i = 0; i < f->count; i++) {
		const struct wm_symbol *s = f->function[i].symbol;

		if (!s || !s->linkage || strcmp(s->linkage, "MAIN__") != 0)
			continue;
		wm_doc_print(d,
			     "  %s is the main program in Fortran: its "
			     "allocatables live until the end, which is no "
			     "fault\n",
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

/* List handles of MPI and other libraries, by the program's calls that made
 * them. */
static void put_handles(const struct leaks *l, size_t top, struct wm_doc *d)
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
		wm_doc_print(d,
			     "  How much memory MPI has for handles without "
			     "bytes is not known: it is in what MPI keeps\n");
}

static void put_own(struct leaks *l, const struct wm_opts *o, struct wm_doc *d)
{
	const struct wm_functions *f = &l->part[OWN];
	struct wm_leak_growth growth = wm_leak_growth_of(f, l->handles.trend,
							 l->a);
	char ranks[RANKS_TEXT];
	const char *whose;
	struct wm_figure b, c;

	if (!f->count)
		return;
	if (!wm_handles_count(&l->handles, &whose) || f->bytes)
		wm_doc_heading(d, "The program's: %s in %s%s",
			       wm_bytes(&b, f->bytes),
			       wm_blocks(&c, blocks_of(l, OWN)),
			       ranks_of(l, OWN, OWN, ranks));
	else
		wm_doc_heading(d, "The program's: handles of %s", whose);
	wm_leak_growth_print(&growth, f->bytes, d);
	put_handles(l, wm_top(o, FUNCTIONS_SHOWN), d);
	put_main_program(f, d);
	put_parts(l, OWN, OWN, NULL, wm_top(o, FUNCTIONS_SHOWN), WM_FOR_TEXT,
		  d);
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

/* A library's own, or an object that the program did not give back. */
static void put_doubtful(struct leaks *l, const struct wm_opts *o,
			 struct wm_doc *d)
{
	const struct wm_functions *f = &l->part[UNKNOWN];
	size_t shown = wm_top(o, FUNCTIONS_SHOWN), i;
	char ranks[RANKS_TEXT];
	struct wm_figure b, c;

	if (!f->count)
		return;
	if (f->bytes)
		wm_doc_heading(d, "Owner not known: %s in %s%s",
			       wm_bytes(&b, f->bytes),
			       wm_blocks(&c, blocks_of(l, UNKNOWN)),
			       ranks_of(l, UNKNOWN, UNKNOWN, ranks));
	else
		wm_doc_heading(d, "Owner not known: handles of MPI");
	wm_doc_print(d, "  It was left once below calls of libraries, which "
			"keep it, or did not get an object back:\n");
	for (i = 0; i < l->handles.unknown && i < shown; i++)
		put_unknown_call(&l->handles.lost[l->handles.count + i], d);
	if (i < l->handles.unknown)
		wm_doc_print(d, "  ... %zu more (--top all)\n",
			     l->handles.unknown - i);
}

static void put_held(struct leaks *l, const struct wm_opts *o, struct wm_doc *d)
{
	const struct wm_functions *f = &l->part[HELD], *g = f + 1;
	char ranks[RANKS_TEXT];
	struct wm_figure b, c;

	if (!f->count && !g->count)
		return;
	wm_doc_heading(d, "%s: %s in %s%s", wm_held_when(l->a),
		       wm_bytes(&b, f->bytes + g->bytes),
		       wm_blocks(&c, blocks_of(l, HELD) +
					     blocks_of(l, HELD_RUNTIME)),
		       ranks_of(l, HELD, HELD_RUNTIME, ranks));
	put_parts(l, HELD, HELD_RUNTIME, NULL, wm_top(o, FUNCTIONS_SHOWN),
		  WM_FOR_TEXT, d);
}

static void put_kept(struct leaks *l, const struct wm_opts *o, struct wm_doc *d)
{
	const struct wm_functions *f = &l->part[RUNTIME];
	struct wm_figure b, c;

	if (!f->count)
		return;
	wm_doc_heading(d,
		       "Kept by runtimes and libraries (libc, MPI ...), as "
		       "far as is known no leaks of the program: %s in %s",
		       wm_bytes(&b, f->bytes),
		       wm_blocks(&c, blocks_of(l, RUNTIME)));
	put_parts(l, RUNTIME, RUNTIME, NULL, wm_top(o, RUNTIME_SHOWN),
		  WM_FOR_TEXT, d);
}

/* List the call paths of leaks; without any, those of memory that was held. */
static void put_paths(const struct leaks *l, const struct wm_opts *o,
		      struct wm_doc *d)
{
	const struct wm_functions *f =
		&l->part[l->part[OWN].count ? OWN : HELD];

	if (!f->count)
		return;
	wm_doc_heading(d, "Call paths of what the program %s",
		       f == &l->part[OWN] ? "never freed" : "held");
	wm_text_functions(l->a, f, wm_top(o, FUNCTIONS_SHOWN), PATHS_SHOWN, d);
}

static bool handles_are_unseen(const struct wm_analysis *a)
{
	for (size_t i = 0; i < a->rank_count; i++)
		if (wm_analysis_origin(a, i)->handles_unseen)
			return true;
	return false;
}

/* Blocks that are live at the end of such traces may have been freed later. */
static bool is_all_cut(const struct wm_analysis *a)
{
	return a->chosen == WM_ALL_RANKS ? a->cut_ranks == a->rank_count :
					   wm_rank_is_cut(&a->ranks[a->chosen]);
}

static void put_people(struct leaks *l, const struct wm_opts *o,
		       struct wm_doc *d)
{
	const struct wm_functions *f = l->part;
	struct wm_figure b, c, e;

	if (is_all_cut(l->a))
		wm_doc_title(d,
			     "%s  run %s: what %s never freed is not known: %s",
			     l->a->name, l->a->id, wm_chosen(&e, l->a),
			     l->a->chosen == WM_ALL_RANKS ?
				     "their traces ended early" :
				     "its trace ended early");
	else
		wm_doc_title(d, "%s  run %s: %s in %s never freed by %s",
			     l->a->name, l->a->id,
			     wm_bytes(&b, f[OWN].bytes + f[UNKNOWN].bytes +
						  f[RUNTIME].bytes),
			     wm_blocks(&c, blocks_of(l, OWN) +
						   blocks_of(l, UNKNOWN) +
						   blocks_of(l, RUNTIME)),
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

static void put_program(struct leaks *l, struct wm_json *j)
{
	const struct wm_functions *f = &l->part[OWN];
	struct wm_shared has = { .ranks = f->count != 0 };
	struct wm_leak_growth growth = wm_leak_growth_of(f, l->handles.trend,
							 l->a);

	if (l->a->chosen == WM_ALL_RANKS)
		has = all_who_have(l, OWN, OWN);
	else
		has.rank = l->a->ranks[l->a->chosen].rank;
	WM_JSON_ROW(j, "program",
		    "bytes blocks grows_bytes ranks growth max_rank", f->bytes,
		    blocks_of(l, OWN), growth.bytes[WM_TREND_GROWS], has.ranks,
		    wm_leak_growth_word(growth.most),
		    wm_known(has.ranks && !has.at_least, has.rank));
}

static void put_sum(const char *key, uint64_t bytes, uint64_t blocks,
		    struct wm_json *j)
{
	WM_JSON_ROW(j, key, "bytes blocks", bytes, blocks);
}

static void put_data(struct leaks *l, struct wm_doc *d)
{
	const struct wm_functions *f = l->part;
	struct wm_json *j = &d->data;

	wm_json_object(j, "never_freed");
	wm_json_rank(j, l->a);
	wm_json_bool(j, "handles_known", !handles_are_unseen(l->a));
	put_program(l, j);
	put_sum("unknown", f[UNKNOWN].bytes, blocks_of(l, UNKNOWN), j);
	put_sum("runtime", f[RUNTIME].bytes, blocks_of(l, RUNTIME), j);
	put_sum("held", f[HELD].bytes + f[HELD_RUNTIME].bytes,
		blocks_of(l, HELD) + blocks_of(l, HELD_RUNTIME), j);
	put_parts(l, OWN, RUNTIME, "sites", 0, WM_FOR_DATA, d);
	put_parts(l, HELD, HELD_RUNTIME, "held_sites", 0, WM_FOR_DATA, d);
	wm_json_end_object(j);
}

static enum wm_status leaks_build(const struct wm_analysis *a,
				  const struct wm_opts *o, struct wm_doc *d,
				  struct wm_err *err)
{
	enum wm_status s = WM_OK;
	struct leaks l;

	if (wm_doc_wants(d, WM_FOR_TEXT)) {
		s = leaks_make(&l, a, o, true, err);
		if (s)
			return s;
		put_people(&l, o, d);
		leaks_release(&l);
	}
	if (!wm_doc_wants(d, WM_FOR_DATA | WM_FOR_CSV))
		return s;
	s = leaks_make(&l, a, o, false, err);
	if (s)
		return s;
	if (wm_doc_wants(d, WM_FOR_DATA))
		put_data(&l, d);
	if (wm_doc_wants(d, WM_FOR_CSV))
		put_parts(&l, OWN, HELD_RUNTIME, NULL, 0, WM_FOR_CSV, d);
	leaks_release(&l);
	return WM_OK;
}

const struct wm_report wm_leaks_report = {
	.name = "leaks",
	.help = "what was never freed, and when it was allocated",
	.needs = WM_NEEDS(heap) | WM_NEEDS(lifetime),
	.retains = WM_RETAINS(all),
	.build = leaks_build,
};
