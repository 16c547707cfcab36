/* SPDX-License-Identifier: Apache-2.0 */
/* --temporaries: churn.  A site that allocates often, but has only a few blocks
 * alive at a time, could keep these blocks and reuse them: all its other
 * allocations are reusable. */

#include <stdbool.h>
#include <stdlib.h>

#include "analyze/job/sum.h"
#include "analyze/lib/base/whole.h"
#include "wm/search.h"
#include "analyze/answers/heap/functions.h"
#include "analyze/answers/heap/forwarders.h"
#include "analyze/render/table.h"
#include "analyze/answers/summary/notes_json.h"
#include "analyze/answers/report.h"
#include "analyze/answers/text.h"

#define SITES_SHOWN 15

static const char *const lifetimes[WM_LIFETIMES] = {
	"< 100 ns", "< 1 us", "< 10 us", "< 100 us", "< 1 ms",	 "< 10 ms",
	"< 100 ms", "< 1 s",  "< 10 s",	 "< 100 s",  ">= 100 s",
};

struct site {
	const struct wm_function *function;
	struct wm_lifetime lifetime;
	uint64_t reusable;
	struct wm_shared shared; /* ranks of the reusable allocations */
};

struct churn {
	const struct wm_analysis *a; /* of the chosen rank, or of all ranks */
	struct wm_analysis view;
	struct wm_functions functions;
	struct site *site; /* most reusable first */
	struct wm_lifetime all;
	uint64_t reusable;
	struct wm_shared shared;
};

static void churn_release(struct churn *c)
{
	wm_functions_release(&c->functions);
	free(c->site);
}

static int by_reusable(const void *a, const void *b)
{
	const struct site *x = a, *y = b;

	/* functions are in order of the bytes that they allocated */
	return WM_KEYS(WM_ORDER(y->reusable, x->reusable),
		       WM_ORDER(y->lifetime.blocks, x->lifetime.blocks),
		       WM_ORDER(x->function, y->function));
}

/* Groups sites by function, with all allocations in place of live memory. */
static enum wm_status make_functions(struct churn *c,
				     const struct wm_analysis *a, bool fold,
				     struct wm_err *err)
{
	struct wm_use *use = calloc(a->paths.path_count, sizeof(*use));
	enum wm_status s;

	if (!use)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; a->lifetime && i < a->lifetime_count; i++) {
		use[i].peak_bytes = a->lifetime[i].bytes;
		use[i].peak_blocks = a->lifetime[i].blocks;
	}
	s = wm_functions_of(&c->functions, a, use, err);
	if (!s && fold)
		s = wm_forwarders_apply(&c->functions, a, err);
	free(use);
	return s;
}

static void add_ranks(struct wm_share_sum *sum, const struct churn *c,
		      const struct wm_function *f)
{
	for (size_t k = 0; k < f->held_count; k++)
		wm_share_sum_add(sum, &c->a->sum.churn, f->held[k].path);
}

static enum wm_status find_ranks(struct churn *c, struct wm_err *err)
{
	const struct wm_analysis *a = c->a;
	struct wm_share_sum sum;
	enum wm_status s;

	if (a->chosen != WM_ALL_RANKS) {
		c->shared = (struct wm_shared){
			.ranks = 1,
			.most = c->reusable,
			.rank = a->ranks[a->chosen].rank,
		};
		for (size_t i = 0; i < c->functions.count; i++) {
			c->site[i].shared = c->shared;
			c->site[i].shared.most = c->site[i].reusable;
		}
		return WM_OK;
	}
	s = wm_share_sum_init(&sum, a->sum.rank, a->sum.ranks, err);
	if (s)
		return s;
	for (size_t i = 0; i < c->functions.count; i++) {
		add_ranks(&sum, c, c->site[i].function);
		c->site[i].shared = wm_share_sum_take(&sum);
	}
	for (size_t i = 0; i < c->functions.count; i++)
		add_ranks(&sum, c, c->site[i].function);
	c->shared = wm_share_sum_take(&sum);
	wm_share_sum_release(&sum);
	return WM_OK;
}

/* With @fold, the allocations of forwarders are charged to their callers. */
static enum wm_status churn_make(struct churn *c, const struct wm_analysis *a,
				 const struct wm_opts *o, bool fold,
				 struct wm_err *err)
{
	enum wm_status s;

	*c = (struct churn){ .site = NULL };
	c->a = a = wm_sum_view(&c->view, a, o->rank_given);
	s = make_functions(c, a, fold, err);
	if (s)
		return s;
	c->site = calloc(c->functions.count + 1, sizeof(*c->site));
	if (!c->site) {
		churn_release(c);
		return wm_no_memory(err, NULL);
	}
	for (size_t i = 0; i < c->functions.count; i++) {
		struct site *t = &c->site[i];

		t->function = &c->functions.function[i];
		for (size_t k = 0; k < t->function->held_count; k++)
			wm_lifetime_add(
				&t->lifetime,
				&a->lifetime[t->function->held[k].path]);
		t->reusable = t->lifetime.blocks - t->lifetime.most;
		wm_lifetime_add(&c->all, &t->lifetime);
		c->reusable += t->reusable;
	}
	WM_SORT(c->site, c->functions.count, by_reusable);
	s = find_ranks(c, err);
	if (s)
		churn_release(c);
	return s;
}

static uint64_t mean_lifetime(const struct wm_lifetime *l)
{
	return l->released ? l->lived_ns / l->released : 0;
}

static const struct wm_table_column columns[] = {
	{ "reusable", "reusable", WM_UNIT_COUNT },
	{ "blocks", "blocks", WM_UNIT_COUNT },
	{ "bytes", "bytes", WM_UNIT_BYTES },
	{ "most", "most at a time", WM_UNIT_COUNT },
	{ "released", NULL, WM_UNIT_COUNT },
	{ "mean_life_ns", "mean life", WM_UNIT_NS },
	{ "ranks", "ranks", WM_UNIT_COUNT },
	{ "max_rank", "most in rank", WM_UNIT_NUMBER },
	{ "max_rank_reusable", NULL, WM_UNIT_COUNT },
	{ "name", "function", WM_UNIT_TEXT },
	{ "file", NULL, WM_UNIT_TEXT },
	{ "line", NULL, WM_UNIT_NUMBER },
	{ "lives", NULL, WM_UNIT_COUNT },
};

static void tell_sites(const struct churn *c, size_t top, unsigned audience,
		       struct wm_doc *d)
{
	struct wm_table t;

	if (!wm_doc_wants(d, audience))
		return;
	WM_TABLE_INIT(&t, columns);
	wm_table_level(
		&t,
		c->a->chosen == WM_ALL_RANKS ?
			"reusable blocks bytes most mean_life_ns ranks max_rank "
			"name" :
			"reusable blocks bytes most mean_life_ns name",
		0, NULL);
	t.spare = "most ranks max_rank bytes mean_life_ns";
	t.data_view = "name file line reusable blocks bytes most released "
		      "mean_life_ns lives ranks max_rank max_rank_reusable";
	t.csv_view = "reusable blocks bytes most released mean_life_ns ranks "
		     "max_rank max_rank_reusable name file line";
	for (size_t i = 0; i < c->functions.count; i++) {
		const struct site *s = &c->site[i];

		WM_TABLE_ADD(&t, s->reusable, s->lifetime.blocks,
			     s->lifetime.bytes, s->lifetime.most,
			     s->lifetime.released,
			     wm_known(s->lifetime.released ||
					      audience == WM_FOR_DATA,
				      mean_lifetime(&s->lifetime)),
			     s->shared.ranks,
			     wm_known(!s->shared.at_least, s->shared.rank),
			     wm_known(!s->shared.at_least, s->shared.most),
			     s->function->name, s->function->file,
			     s->function->line);
		wm_table_numbers(&t, s->lifetime.lifetimes, WM_LIFETIMES);
	}
	wm_doc_table(d, &t, "sites", top, audience);
}

static void tell_lives(const struct wm_lifetime *l, struct wm_doc *d)
{
	static const struct wm_table_column bars[] = {
		{ "life", "         ", WM_UNIT_WORDS },
		{ "blocks", "              ", WM_UNIT_COUNT },
		{ "bar", "                                        ",
		  WM_UNIT_BAR },
	};
	struct wm_table t;
	uint64_t most = 1;
	struct wm_figure b;

	for (size_t i = 0; i < WM_LIFETIMES; i++)
		wm_raise(&most, l->lifetimes[i]);
	wm_doc_heading(d, "Lives of the %s blocks that were released",
		       wm_count(&b, l->released));
	WM_TABLE_INIT(&t, bars);
	for (size_t i = 0; i < WM_LIFETIMES; i++) {
		wm_table_format(&t, "%9s", lifetimes[i]);
		WM_TABLE_ADD(&t, l->lifetimes[i],
			     (double)l->lifetimes[i] / (double)most);
	}
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
}

static void put_reusable(const struct churn *n, struct wm_doc *d)
{
	char ranks[160] = "";
	struct wm_figure b, c, e;

	if (n->a->chosen == WM_ALL_RANKS)
		wm_text_shared(&n->shared, wm_count(&b, n->shared.most),
			       wm_count(&c, n->shared.ranks), ranks,
			       sizeof(ranks));
	wm_doc_print(d, "  %s of them could reuse an older block%s.\n",
		     wm_count(&e, n->reusable), ranks);
	wm_doc_print(d, "  A call path needs as many blocks as are alive at "
			"one time; a program that keeps\n"
			"  and reuses that many blocks saves all other "
			"allocations of the path.\n"
			"\n");
}

static void put_people(const struct churn *n, const struct wm_opts *o,
		       struct wm_doc *d)
{
	struct wm_figure b, c, e;

	wm_doc_title(d, "%s  run %s: %s allocations of %s in all, %s",
		     n->a->name, n->a->id, wm_count(&b, n->all.blocks),
		     wm_bytes(&c, n->all.bytes), wm_chosen(&e, n->a));
	wm_text_notes(n->a, d);
	put_reusable(n, d);
	tell_sites(n, wm_top(o, SITES_SHOWN), WM_FOR_TEXT, d);
	tell_lives(&n->all, d);
}

static void tell_data(const struct churn *n, struct wm_doc *d)
{
	struct wm_json *j = &d->data;

	wm_json_object(j, "temporaries");
	wm_json_rank(j, n->a);
	WM_JSON_ADD(j, "reusable blocks bytes most released mean_life_ns",
		    n->reusable, n->all.blocks, n->all.bytes, n->all.most,
		    n->all.released, mean_lifetime(&n->all));
	WM_JSON_LIST(j, "lives", i, WM_LIFETIMES, n->all.lifetimes[i]);
	tell_sites(n, 0, WM_FOR_DATA, d);
	wm_json_end_object(j);
	tell_sites(n, 0, WM_FOR_CSV, d);
}

static enum wm_status temporaries_build(const struct wm_analysis *a,
					const struct wm_opts *o,
					struct wm_doc *d, struct wm_err *err)
{
	enum wm_status s = WM_OK;
	struct churn n;

	if (wm_doc_wants(d, WM_FOR_TEXT)) {
		s = churn_make(&n, a, o, true, err);
		if (s)
			return s;
		put_people(&n, o, d);
		churn_release(&n);
	}
	if (!wm_doc_wants(d, WM_FOR_DATA | WM_FOR_CSV))
		return s;
	s = churn_make(&n, a, o, false, err);
	if (s)
		return s;
	tell_data(&n, d);
	churn_release(&n);
	return WM_OK;
}

const struct wm_report wm_temporaries_report = {
	.name = "temporaries",
	.help = "sites that allocate again and again, lifetimes of blocks",
	.needs = WM_NEEDS(heap) | WM_NEEDS(lifetime),
	.retains = WM_RETAINS(all),
	.build = temporaries_build,
};
