/* SPDX-License-Identifier: Apache-2.0 */
/* The beginning of the summary: the memory to ask the batch system for. */
#include "analyze/answers/need/ask.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyze/lib/base/texts.h"
#include "analyze/lib/base/whole.h"
#include "analyze/render/table.h"
#include "analyze/answers/text.h"

#define LIMIT_TEXT 80

static void say_site(struct wm_line *t, const char *site)
{
	if (site[0])
		wm_line_add(t, " in %s%s", site, strchr(site, '(') ? "" : "()");
}

static void say_growth(struct wm_line *t, const struct wm_ask *ask,
		       const struct wm_analysis *a, const char *site)
{
	const struct wm_rank *r = &a->ranks[ask->death.grew];
	struct wm_figure b;

	if (!ask->death.growing)
		return;
	wm_line_add(t, " while rank %" PRIu64 " was growing by %s a second",
		    r->rank, wm_bytes(&b, wm_rounded(r->growth)));
	say_site(t, site);
}

/* Returns "rank 3", or "it" if the job has one rank. */
static const char *who(const struct wm_analysis *a, size_t index, char buf[32])
{
	if (a->rank_count == 1)
		return "it";
	snprintf(buf, 32, "rank %" PRIu64, a->ranks[index].rank);
	return buf;
}

/* Returns "its limit of 97.7 MiB on data", or NULL if no limit is known. */
static const char *limit_in_words(const struct wm_ask *ask,
				  char buf[LIMIT_TEXT])
{
	struct wm_figure b;

	if (ask->limit != WM_LIMIT_ADDRESS_SPACE && ask->limit != WM_LIMIT_DATA)
		return NULL;
	snprintf(buf, LIMIT_TEXT, "its limit of %s on %s",
		 wm_bytes(&b, ask->limit_bytes), wm_limit_name[ask->limit]);
	return buf;
}

static void say_refused(struct wm_line *t, uint64_t bytes, const char *site,
			const char *limit)
{
	struct wm_figure b;

	wm_line_add(t, " was refused %s", wm_bytes(&b, bytes));
	say_site(t, site);
	if (limit)
		wm_line_add(t, " at %s", limit);
}

/* Writes a request that met a limit and is no part of the memory to ask for. */
static void say_limit(struct wm_line *t, const struct wm_ask *ask,
		      const struct wm_analysis *a, const char *site)
{
	char buf[32], limit[LIMIT_TEXT];

	if (!ask->refused)
		return;
	wm_line_add(t, "; %s", who(a, ask->refused_rank, buf));
	say_refused(t, ask->refused, site, limit_in_words(ask, limit));
}

static void say_failed(struct wm_line *t, const struct wm_ask *ask,
		       const struct wm_analysis *a, const char *site)
{
	char buf[32], limit[LIMIT_TEXT];

	if (ask->need.counted != WM_COUNTED_FAILED ||
	    ask->refused == ask->need.failed)
		return;
	wm_line_add(t, "; %s", who(a, ask->rank, buf));
	say_refused(t, ask->need.failed, site,
		    !ask->refused ? limit_in_words(ask, limit) : NULL);
}

static void say_gave_up(struct wm_line *t, const struct wm_ask *ask,
			const struct wm_analysis *a)
{
	const struct wm_rank *r = &a->ranks[ask->gave_up_rank];
	char buf[32];

	wm_line_add(t, ": %s ", who(a, ask->gave_up_rank, buf));
	if (ask->gave_up == WM_GIVING_UP_ABORT)
		wm_line_add(t, "called MPI_Abort");
	else if (ask->gave_up == WM_GIVING_UP_STATUS)
		wm_line_add(t, "exited with status %" PRIu64, r->exit_status);
	else
		wm_line_add(t, "ended without MPI_Finalize");
}

/* Names the ranks that died at their limit, unless all ranks have the limit. */
static void say_died_at(struct wm_line *t, const struct wm_ask *ask,
			const struct wm_analysis *a)
{
	const struct wm_died_limit *l = &ask->death;
	bool group = ask->limit == WM_LIMIT_GROUP, many = l->dead > 1;
	struct wm_figure b, c;

	if (!l->partly)
		wm_line_add(t, "Died near its limit");
	else if (!many)
		wm_line_add(t, "Rank %" PRIu64 " died near its limit",
			    a->ranks[l->first].rank);
	else
		wm_line_add(t,
			    "Rank %" PRIu64 " and %s more died near their "
			    "limit",
			    a->ranks[l->first].rank, wm_count(&c, l->dead - 1));
	wm_line_add(t, " of %s %s", wm_bytes(&b, ask->limit_bytes),
		    !group	      ? "a node" :
		    l->partly && many ? "in their cgroup" :
					"in its cgroup");
}

static void say_death(struct wm_line *t, const struct wm_ask *ask,
		      const struct wm_analysis *a,
		      const struct wm_ask_sites *sites)
{
	/* a trace has no signals, so the rank may have crashed there */
	if (ask->limit == WM_LIMIT_JOB || ask->limit == WM_LIMIT_GROUP)
		say_died_at(t, ask, a);
	else
		wm_line_add(t,
			    "Ask for at least %" PRIu64
			    " MiB a rank: it ended early",
			    ask->mib);
	say_growth(t, ask, a, sites->grew);
	say_failed(t, ask, a, sites->failed);
	say_limit(t, ask, a, sites->refused);
	wm_line_add(t, "; this run does not show how much is enough");
}

static void say_refusal(struct wm_line *t, const struct wm_ask *ask,
			const struct wm_analysis *a)
{
	struct wm_figure b;
	char limit[LIMIT_TEXT];

	wm_line_add(t, "Ask for at least %s a rank: rank %" PRIu64,
		    wm_bytes(&b, ask->rank_bytes), a->ranks[ask->rank].rank);
	say_refused(t, ask->need.failed, "", limit_in_words(ask, limit));
}

/* Returns whether pages that children share may be a large part of the need. */
static bool is_child_doubtful(const struct wm_rank_need *n)
{
	return n->child - n->child_least > n->own / 20;
}

static void say_untraced(struct wm_line *t, const struct wm_ask *ask,
			 const struct wm_analysis *a)
{
	const struct wm_rank *r = &a->ranks[ask->untraced_rank];
	char buf[32];
	struct wm_figure b;

	wm_line_add(t, ": %s ", who(a, ask->untraced_rank, buf));
	if (ask->untraced == WM_UNTRACED_MANY)
		wm_line_add(t,
			    "started processes with up to %s of their own in "
			    "all, and how many ran at a time is not known",
			    wm_bytes(&b, ask->untraced_bytes));
	else if (ask->untraced == WM_UNTRACED_COPIES)
		wm_line_add(t,
			    "started processes of up to %s, and how much of "
			    "that was their own is not known",
			    wm_bytes(&b, r->usage.child_peak));
	else
		wm_line_add(t, "%s, and what they had is not known",
			    r->usage.children_left == 2 ?
				    "ignores the ends of processes that it "
				    "starts" :
				    "started processes that it did not wait "
				    "for");
}

static void say_need(struct wm_line *t, const struct wm_ask *ask,
		     const struct wm_analysis *a)
{
	const char *bound = ask->lower_bound ? "at least " : "";
	char buf[32];
	struct wm_figure b;

	wm_line_add(t, "Ask for %s%" PRIu64 " MiB a rank", bound, ask->mib);
	if (ask->node.ranks > 1)
		wm_line_add(t, ", %" PRIu64 " MiB a node", ask->node_mib);
	if (wm_ask_has_untouched(ask))
		wm_line_add(t,
			    "; %" PRIu64
			    " MiB a rank where all that it requested is in "
			    "RAM at once",
			    ask->full_mib);
	if (ask->child_missing)
		wm_line_add(t,
			    ": rank %" PRIu64
			    " started a process of up to %s, and "
			    "how many ran at a time is not known",
			    a->ranks[ask->child_rank].rank,
			    wm_bytes(&b, ask->child_bytes));
	else if (ask->gave_up)
		say_gave_up(t, ask, a);
	else if (ask->untraced)
		say_untraced(t, ask, a);
	else if (!ask->lower_bound && is_child_doubtful(&ask->need))
		wm_line_add(t, ": at most, as %s",
			    ask->need.child_faults ?
				    "page faults do not show which pages "
				    "children still shared with their parent" :
				    "pages that children share with their "
				    "parent count in each");
	else if (ask->lower_bound && !ask->tried)
		wm_line_add(t, ": a part of the run is missing");
	else if (ask->need.counted == WM_COUNTED_REQUESTED &&
		 a->ranks[ask->rank].watched)
		wm_line_add(
			t, ": all that it requested, as too few epochs of "
			   "WM_PAGES ended at its peak; a run without WM_PAGES "
			   "shows how much of it is touched");
	say_limit(t, ask, a, "");
	if (ask->tried && !ask->refused)
		wm_line_add(t, "; %s was refused %s",
			    who(a, ask->tried_rank, buf),
			    wm_bytes(&b, ask->tried));
	if (ask->tried &&
	    (!ask->refused || (ask->refused == ask->tried &&
			       ask->refused_rank == ask->tried_rank)))
		wm_line_add(t, ", and ended well without it");
}

static void make_sentence(struct wm_line *t, const struct wm_ask *ask,
			  const struct wm_analysis *a,
			  const struct wm_ask_sites *sites)
{
	t->len = 0;
	t->s[0] = 0;
	if (ask->death.died)
		say_death(t, ask, a, sites);
	else if (ask->need.counted == WM_COUNTED_FAILED)
		say_refusal(t, ask, a);
	else
		say_need(t, ask, a);
}

static void put(struct wm_table *t, const char *what)
{
	wm_table_at(t, NULL);
	wm_table_text(t, what);
}

static void put_parts(struct wm_table *t, const struct wm_rank_need *n)
{
	const struct {
		const char *name;
		uint64_t bytes;
	} part[] = {
		{ "requested", n->requested },
		{ "refused", n->failed },
		{ "shared", n->shared },
		{ "allocator", n->allocator },
		{ "static", n->statics },
		{ "stack", n->stack },
		{ n->stacks_estimated ? "threads' stacks about" :
					"threads' stacks",
		  n->thread_stacks },
		{ "code and other", n->other },
		{ "processes that it started", n->child },
	};
	struct wm_line l = { .len = 0 };
	struct wm_figure b;
	size_t i;

	for (i = 0; i < sizeof(part) / sizeof(*part); i++)
		if (part[i].bytes)
			wm_line_add(&l, "%s%s %s", l.len ? ", " : "",
				    part[i].name, wm_bytes(&b, part[i].bytes));
	if (n->untouched)
		wm_line_add(&l,
			    "; at least %s of it never written, or "
			    "given back before the rest came",
			    wm_bytes(&b, n->untouched));
	put(t, "parts");
	wm_table_text(t, l.s);
}

static void put_unseen(struct wm_table *t, const struct wm_rank_need *n)
{
	struct wm_figure b;

	if (n->unseen < n->own / 20 || !n->unseen)
		return;
	put(t, "not known");
	wm_table_format(t,
			"up to %s of its own memory: a system call that is "
			"not traced may have given that back",
			wm_bytes(&b, n->unseen));
}

static void put_rank(struct wm_table *t, const struct wm_ask *ask,
		     const struct wm_analysis *a)
{
	static const char *const counted[] = {
		[WM_COUNTED_REQUESTED] = "requested",
		[WM_COUNTED_RESIDENT] = "resident without the tool",
		[WM_COUNTED_PAGES] = "resident by the record of WM_PAGES",
		[WM_COUNTED_FAILED] = "with the request that failed",
	};
	const char *bound = ask->lower_bound ? "at least " : "";
	uint64_t own = ask->need.own - ask->need.child;
	struct wm_figure b, c, d;
	const struct wm_forked *f = &a->ranks[ask->rank].forked;
	bool known = ask->need.child_least && is_child_doubtful(&ask->need);
	bool misses = wm_rank_misses_child(&a->ranks[ask->rank]);
	uint64_t n = f->at_once + misses;
	uint64_t both = ask->need.own + ask->share;
	char at_once[80] = "";
	char least[80] = "", shared[160] = "", child[120] = "";
	char more[32] = "";

	put(t, "a rank");
	if (own - own / 20 > ask->need.own_least && ask->need.own_least)
		snprintf(least, sizeof(least), "%s to ",
			 wm_bytes(&b, ask->need.own_least));
	if (ask->rank_bytes < both - both / 50)
		snprintf(at_once, sizeof(at_once), " %s of both at once,",
			 wm_bytes(&b, ask->rank_bytes));
	if (ask->need.shared)
		snprintf(shared, sizeof(shared),
			 " of its own and %s of shared memory,%s",
			 wm_bytes(&b, ask->share), at_once);
	if (ask->need.child)
		snprintf(child, sizeof(child),
			 ", %s%s%s of %" PRIu64 " process%s that it started",
			 known && !misses ?
				 wm_bytes(&d, ask->need.child_least) :
				 "",
			 misses ? "at least " :
			 known	? " to " :
				  "up to ",
			 wm_bytes(&b, misses ? ask->need.child_least :
					       ask->need.child),
			 n, n == 1 ? "" : "es");
	if (ask->margin)
		snprintf(more, sizeof(more), ", and %u %% more", ask->margin);
	wm_table_format(t,
			"%s%" PRIu64 " MiB: %s%s%s %s (rank %" PRIu64 ")%s%s",
			bound, ask->mib, least, wm_bytes(&c, own), shared,
			counted[ask->need.counted], a->ranks[ask->rank].rank,
			child, more);
}

/* Returns whether the bounds differ by more than looks and rounding explain. */
static bool is_doubtful(const struct wm_node_need *n)
{
	return n->shared - n->most > n->most / 20;
}

static void put_node(struct wm_table *t, const struct wm_ask *ask)
{
	const struct wm_node_need *n = &ask->node;
	struct wm_figure b[3];
	struct wm_line l = { .len = 0 };

	put(t, "a node");
	wm_line_add(&l, "%s%" PRIu64 " MiB: of %" PRIu64 " rank%s",
		    ask->lower_bound ? "at least " : "", ask->node_mib,
		    n->ranks, n->ranks == 1 ? "" : "s");
	if (n->shared)
		wm_line_add(&l, ", %s%s of their own and %s%s%s shared, once",
			    n->doubtful && n->ranks > 1 ? "at most " : "",
			    wm_bytes(&b[0], n->at_once),
			    is_doubtful(n) ? wm_bytes(&b[2], n->most) : "",
			    is_doubtful(n) ? " to " : "",
			    wm_bytes(&b[1], n->shared));
	if (n->at_once < n->own)
		wm_line_add(&l,
			    "; not all at their highest at once: %" PRIu64
			    " MiB if they were",
			    ask->node_sum_mib);
	if (ask->node_least_mib < ask->node_mib - ask->node_mib / 10)
		wm_line_add(&l,
			    "; %" PRIu64
			    " MiB if malloc gives back freed memory "
			    "at once",
			    ask->node_least_mib);
	wm_table_text(t, l.s);
}

static uint64_t most_at_once(const struct wm_analysis *a)
{
	uint64_t n = 0;

	for (size_t i = 0; i < a->rank_count; i++)
		wm_raise(&n, a->ranks[i].forked.at_once);
	return n;
}

static void put_ask(struct wm_table *t, const struct wm_ask *ask,
		    const struct wm_analysis *a)
{
	char line[WM_ASK_TEXT], own[80] = "";
	struct wm_figure b;

	if (wm_ask_line(ask, a, false, line)) {
		put(t, "to paste");
		wm_table_text(t, line);
	}
	if (wm_ask_has_untouched(ask) && wm_ask_line(ask, a, true, line)) {
		put(t, "if touched");
		wm_table_text(t, line);
	}
	put_rank(t, ask, a);
	put_parts(t, &ask->need);
	put_unseen(t, &ask->need);
	put_node(t, ask);
	if (ask->child_bytes && (ask->child_missing || !a->run.child_count)) {
		if (ask->untraced_bytes)
			snprintf(own, sizeof(own), "%s of their own at most; ",
				 wm_bytes(&b, ask->untraced_bytes));
		put(t, "children");
		wm_table_format(t,
				"%s%sthe largest had up to %s, with what it "
				"shared with rank %" PRIu64
				"; processes that they left running are not "
				"known",
				ask->child_missing ? "" : "not counted: ",
				ask->child_missing ? "" : own,
				wm_bytes(&b, ask->child_bytes),
				a->ranks[ask->child_rank].rank);
	}
	if (a->run.child_count) {
		put(t, "children");
		wm_table_format(t,
				"%zu forked, each with a trace of its own "
				"(below); up to %" PRIu64
				" of a rank at one time",
				a->run.child_count, most_at_once(a));
	}
	if (ask->tool) {
		put(t, "tracing");
		wm_table_format(t, "%s a rank more", wm_bytes(&b, ask->tool));
	}
}

enum wm_status wm_tell_ask(const struct wm_analysis *a, struct wm_doc *d,
			   struct wm_err *err)
{
	static const struct wm_table_column columns[] = {
		{ "what", "           ", WM_UNIT_WORDS },
		{ "ask", "", WM_UNIT_WORDS },
	};
	struct wm_ask_sites sites;
	struct wm_line said;
	struct wm_table t;
	struct wm_ask ask;
	enum wm_status s = wm_ask_make(&ask, a, err);

	if (!s)
		s = wm_ask_sites_find(&sites, &ask, a, err);
	if (s)
		return s;
	make_sentence(&said, &ask, a, &sites);
	wm_doc_heading(d, "%s", said.s);
	WM_TABLE_INIT(&t, columns);
	put_ask(&t, &ask, a);
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
	return WM_OK;
}

static void put_json_need(const struct wm_rank_need *n, struct wm_json *j)
{
	WM_JSON_ADD(j,
		    "need_bytes own_bytes own_least_bytes? own_unseen_bytes "
		    "shared_bytes requested_bytes refused_bytes "
		    "allocator_bytes static_bytes stack_bytes "
		    "thread_stacks_bytes thread_stacks_estimated! other_bytes "
		    "child_part_bytes child_part_least_bytes "
		    "child_part_at_most! untouched_bytes",
		    n->bytes, n->own, n->own_least, n->unseen, n->shared,
		    n->requested, n->failed, n->allocator, n->statics, n->stack,
		    n->thread_stacks, n->stacks_estimated, n->other, n->child,
		    n->child_least, n->child_at_most, n->untouched);
	wm_json_text(j, "counts", wm_counted_name[n->counted]);
}

static void put_json_limit(const struct wm_ask *ask,
			   const struct wm_analysis *a, const char *site,
			   struct wm_json *j)
{
	if (!ask->limit) {
		wm_json_text(j, "limit", NULL);
	} else {
		wm_json_flat_object(j, "limit");
		wm_json_text(j, "of", wm_limit_name[ask->limit]);
		wm_json_uint(j, "bytes", ask->limit_bytes);
		wm_json_end_object(j);
	}
	if (!ask->death.growing) {
		wm_json_text(j, "growing", NULL);
		return;
	}
	wm_json_flat_object(j, "growing");
	WM_JSON_ADD(j, "rank bytes_per_s", a->ranks[ask->death.grew].rank,
		    wm_rounded(a->ranks[ask->death.grew].growth));
	wm_json_text(j, "function", site[0] ? site : NULL);
	wm_json_end_object(j);
}

void wm_json_ask(const struct wm_analysis *a, struct wm_json *j)
{
	char line[WM_ASK_TEXT];
	struct wm_ask_sites sites;
	struct wm_line said;
	struct wm_ask ask;
	bool known;

	if (wm_ask_make(&ask, a, NULL) ||
	    wm_ask_sites_find(&sites, &ask, a, NULL)) {
		wm_json_text(j, "ask", NULL);
		return;
	}
	known = wm_ask_line(&ask, a, false, line);
	make_sentence(&said, &ask, a, &sites);
	wm_json_object(j, "ask");
	WM_JSON_ADD(j, "sentence line option", said.s, known ? line : NULL,
		    known ? strchr(line, ' ') + 1 : NULL);
	known = known && wm_ask_has_untouched(&ask) &&
		wm_ask_line(&ask, a, true, line);
	wm_json_text(j, "touched_line", known ? line : NULL);
	WM_JSON_ADD(j,
		    "rank rank_mib rank_bytes rank_touched_mib node_mib "
		    "node_ranks node_own_bytes node_sum_bytes "
		    "node_least_bytes node_shared_bytes "
		    "node_shared_least_bytes node_own_at_most!",
		    a->ranks[ask.rank].rank, ask.mib, ask.rank_bytes,
		    ask.full_mib, ask.node_mib, ask.node.ranks,
		    ask.node.at_once, ask.node.own, ask.node.least_at_once,
		    ask.node.shared, ask.node.most,
		    ask.node.doubtful && ask.node.ranks > 1);
	put_json_need(&ask.need, j);
	WM_JSON_ADD(j,
		    "margin_percent tool_bytes children child_bytes "
		    "lower_bound!",
		    ask.margin, ask.tool, a->run.child_count, ask.child_bytes,
		    ask.lower_bound);
	wm_json_known(j, "untraced_bytes", ask.untraced < WM_UNTRACED_COPIES,
		      ask.untraced_bytes);
	put_json_limit(&ask, a, sites.grew, j);
	wm_json_end_object(j);
}
