/* SPDX-License-Identifier: Apache-2.0 */
/* The beginning of the summary: what to ask the batch system for; and run.ask. */
#include "analyze/report/ask.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analyze/base/shorten.h"
#include "analyze/base/whole.h"
#include "analyze/queries/ask.h"
#include "analyze/queries/failed_requests.h"
#include "analyze/queries/path_frames.h"
#include "analyze/render/table.h"
#include "analyze/report/text.h"

#define NAME_COLUMNS 40
#define SENTENCE 400

/* The function by which the fastest rank grew; "": not known. */
static enum wm_status find_site(const struct wm_ask *ask,
				const struct wm_analysis *a,
				char name[NAME_COLUMNS + 1], struct wm_err *err)
{
	const struct wm_rank *r = &a->ranks[ask->grew];
	struct wm_path_frames f = { .count = 0 };
	enum wm_status s = WM_OK;

	name[0] = 0;
	if (ask->growing && r->last_path.path_count)
		s = wm_path_frames_fill(&f, a, r->growth_number, err);
	if (!s && f.count && f.frame[0].symbol)
		wm_shorten(f.frame[0].symbol->name, NAME_COLUMNS, name);
	wm_path_frames_release(&f);
	return s;
}

/* WM_PAGES hides from the kernel what is resident, and its own epochs have not
 * seen it: what was requested is known. */
static bool is_not_seen(const struct wm_ask *ask, const struct wm_analysis *a)
{
	return ask->need.counted == WM_COUNTED_REQUESTED &&
	       a->ranks[ask->rank].watched;
}

/* ---- the sentence ---- */

struct sentence {
	char s[SENTENCE];
	size_t len;
};

static __attribute__((format(printf, 2, 3))) void say(struct sentence *t,
						      const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->s + t->len, SENTENCE - t->len, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->len += (size_t)n;
	if (t->len >= SENTENCE)
		t->len = SENTENCE - 1;
}

static void say_growth(struct sentence *t, const struct wm_ask *ask,
		       const struct wm_analysis *a, const char *site)
{
	const struct wm_rank *r = &a->ranks[ask->grew];
	struct wm_buf b;

	if (!ask->growing)
		return;
	say(t, " while rank %" PRIu64 " was growing by %s a second", r->rank,
	    wm_bytes(&b, wm_rounded(r->growth)));
	if (site[0])
		say(t, " in %s%s", site, strchr(site, '(') ? "" : "()");
}

/* "rank 3", or "it" of a job of one. */
static const char *who(const struct wm_analysis *a, size_t index, char buf[32])
{
	if (a->rank_count == 1)
		return "it";
	snprintf(buf, 32, "rank %" PRIu64, a->ranks[index].rank);
	return buf;
}

/* A request that met a limit, and is no part of what is asked for. */
static void say_limit(struct sentence *t, const struct wm_ask *ask,
		      const struct wm_analysis *a)
{
	struct wm_buf b, c;
	char buf[32];

	if (!ask->refused)
		return;
	say(t, "; %s was refused %s at its limit of %s on %s",
	    who(a, ask->refused_rank, buf), wm_bytes(&b, ask->refused),
	    wm_bytes(&c, ask->limit_bytes), wm_limit_name[ask->limit]);
}

static void say_gave_up(struct sentence *t, const struct wm_ask *ask,
			const struct wm_analysis *a)
{
	const struct wm_rank *r = &a->ranks[ask->gave_up_rank];
	char buf[32];

	say(t, ": %s ", who(a, ask->gave_up_rank, buf));
	if (ask->gave_up == WM_GIVING_UP_ABORT)
		say(t, "called MPI_Abort");
	else if (ask->gave_up == WM_GIVING_UP_STATUS)
		say(t, "exited with status %" PRIu64, r->exit_status);
	else
		say(t, "ended without MPI_Finalize");
}

static void say_death(struct sentence *t, const struct wm_ask *ask,
		      const struct wm_analysis *a, const char *site)
{
	static const char *const whose[] = {
		[WM_LIMIT_JOB] = "a node",
		[WM_LIMIT_GROUP] = "in its cgroup",
	};
	struct wm_buf b;

	if (ask->limit == WM_LIMIT_JOB || ask->limit == WM_LIMIT_GROUP)
		say(t, "Died at its limit of %s %s",
		    wm_bytes(&b, ask->limit_bytes), whose[ask->limit]);
	else
		say(t,
		    "Ask for at least %" PRIu64 " MiB a rank: it ended early",
		    ask->mib);
	say_growth(t, ask, a, site);
	say_limit(t, ask, a);
	say(t, "; this run does not tell how much is enough");
}

static void say_refusal(struct sentence *t, const struct wm_ask *ask,
			const struct wm_analysis *a)
{
	struct wm_buf b[3];

	say(t, "Ask for at least %s a rank: rank %" PRIu64 " was refused %s",
	    wm_bytes(&b[0], ask->rank_bytes), a->ranks[ask->rank].rank,
	    wm_bytes(&b[1], ask->need.failed));
	if (ask->limit == WM_LIMIT_ADDRESS_SPACE || ask->limit == WM_LIMIT_DATA)
		say(t, " at its limit of %s on %s",
		    wm_bytes(&b[2], ask->limit_bytes),
		    wm_limit_name[ask->limit]);
}

static void say_need(struct sentence *t, const struct wm_ask *ask,
		     const struct wm_analysis *a)
{
	const char *bound = ask->lower_bound ? "at least " : "";
	struct wm_buf b;

	say(t, "Ask for %s%" PRIu64 " MiB a rank", bound, ask->mib);
	if (ask->node.ranks > 1)
		say(t, ", %" PRIu64 " MiB a node", ask->node_mib);
	if (wm_ask_has_untouched(ask))
		say(t,
		    "; %" PRIu64 " MiB a rank where all that it requested is "
		    "touched",
		    ask->full_mib);
	if (ask->child_missing)
		say(t,
		    ": rank %" PRIu64 " started a process of up to %s, and "
		    "how many ran at a time is not known",
		    a->ranks[ask->child_rank].rank,
		    wm_bytes(&b, ask->child_bytes));
	else if (ask->gave_up)
		say_gave_up(t, ask, a);
	else if (ask->lower_bound)
		say(t, ": a part of the run is missing");
	else if (is_not_seen(ask, a))
		say(t, ": all that it requested, as too few epochs of WM_PAGES "
		       "ended at its peak; a run without WM_PAGES sees what of "
		       "it is touched");
	say_limit(t, ask, a);
}

static void make_sentence(struct sentence *t, const struct wm_ask *ask,
			  const struct wm_analysis *a, const char *site)
{
	t->len = 0;
	t->s[0] = 0;
	if (ask->died)
		say_death(t, ask, a, site);
	else if (ask->need.counted == WM_COUNTED_FAILED)
		say_refusal(t, ask, a);
	else
		say_need(t, ask, a);
}

/* ---- its parts ---- */

static void put(struct wm_table *t, const char *what)
{
	wm_table_at(t, 0);
	wm_table_text(t, what);
}

/* "requested 20.9 MiB, allocator 310.2 KiB, ...": they add up. */
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
		{ "a process that it started", n->child },
	};
	char text[256] = "";
	size_t i, len = 0;
	struct wm_buf b;

	for (i = 0; i < sizeof(part) / sizeof(*part); i++)
		if (part[i].bytes)
			len += (size_t)snprintf(text + len, sizeof(text) - len,
						"%s%s %s", len ? ", " : "",
						part[i].name,
						wm_bytes(&b, part[i].bytes));
	if (n->untouched)
		snprintf(text + len, sizeof(text) - len,
			 "; %s of it never touched",
			 wm_bytes(&b, n->untouched));
	put(t, "parts");
	wm_table_text(t, text);
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
	struct wm_buf b, c;
	char least[80] = "", shared[80] = "", child[80] = "";

	put(t, "a rank");
	if (own - own / 20 > ask->need.own_least && ask->need.own_least)
		snprintf(least, sizeof(least), "%s to ",
			 wm_bytes(&b, ask->need.own_least));
	if (ask->need.shared)
		snprintf(shared, sizeof(shared),
			 " of its own and %s of what is shared,",
			 wm_bytes(&b, ask->rank_bytes - ask->need.own));
	if (ask->need.child)
		snprintf(child, sizeof(child),
			 ", %s of a process that it started",
			 wm_bytes(&b, ask->need.child));
	wm_table_format(t,
			"%s%" PRIu64 " MiB: %s%s%s %s (rank %" PRIu64
			")%s, and %d %% more",
			bound, ask->mib, least, wm_bytes(&c, own), shared,
			counted[ask->need.counted], a->ranks[ask->rank].rank,
			child, WM_ASK_MARGIN);
}

/* By more than what looks and rounding differ by. */
static bool is_doubtful(const struct wm_node_need *n)
{
	return n->shared - n->most > n->most / 20;
}

static void put_node(struct wm_table *t, const struct wm_ask *ask)
{
	const struct wm_node_need *n = &ask->node;
	struct wm_buf b[3];
	char text[256];
	int len;

	put(t, "a node");
	len = snprintf(text, sizeof(text),
		       "%s%" PRIu64 " MiB: of %" PRIu64 " rank%s",
		       ask->lower_bound ? "at least " : "", ask->node_mib,
		       n->ranks, n->ranks == 1 ? "" : "s");
	if (n->shared)
		len += snprintf(text + len, sizeof(text) - (size_t)len,
				", %s of their own and %s%s%s shared, once",
				wm_bytes(&b[0], n->at_once),
				is_doubtful(n) ? wm_bytes(&b[2], n->most) : "",
				is_doubtful(n) ? " to " : "",
				wm_bytes(&b[1], n->shared));
	if (n->at_once < n->own)
		len += snprintf(text + len, sizeof(text) - (size_t)len,
				"; not all at their highest at once: %" PRIu64
				" MiB if they were",
				ask->node_sum_mib);
	if (ask->node_least_mib < ask->node_mib - ask->node_mib / 10)
		snprintf(text + len, sizeof(text) - (size_t)len,
			 "; %" PRIu64 " MiB if malloc gives back at once what "
			 "is freed",
			 ask->node_least_mib);
	wm_table_text(t, text);
}

static void put_ask(struct wm_table *t, const struct wm_ask *ask,
		    const struct wm_analysis *a)
{
	char line[WM_ASK_TEXT];
	struct wm_buf b;

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
	put_node(t, ask);
	if (ask->child_bytes) {
		put(t, "children");
		wm_table_format(t,
				"%sthe largest had up to %s, with what it "
				"shared with rank %" PRIu64,
				ask->child_missing ? "" : "not counted: ",
				wm_bytes(&b, ask->child_bytes),
				a->ranks[ask->child_rank].rank);
	}
	if (a->run.child_count) {
		put(t, "children");
		wm_table_format(t,
				"%zu forked: not counted, each has a trace of "
				"its own (below)",
				a->run.child_count);
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
		{ NULL, NULL, 0 },
	};
	char site[NAME_COLUMNS + 1];
	struct sentence said;
	struct wm_table t;
	struct wm_ask ask;
	enum wm_status s = wm_ask_make(&ask, a, err);

	if (!s)
		s = find_site(&ask, a, site, err);
	if (s)
		return s;
	make_sentence(&said, &ask, a, site);
	wm_doc_heading(d, "%s", said.s);
	wm_table_init(&t, columns);
	put_ask(&t, &ask, a);
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
	return WM_OK;
}

/* ---- for programs ---- */

static void put_json_need(const struct wm_rank_need *n, struct wm_json *j)
{
	wm_json_uint(j, "need_bytes", n->bytes);
	wm_json_uint(j, "own_bytes", n->own);
	wm_json_known(j, "own_least_bytes", n->own_least != 0, n->own_least);
	wm_json_uint(j, "shared_bytes", n->shared);
	wm_json_text(j, "counts", wm_counted_name[n->counted]);
	wm_json_uint(j, "requested_bytes", n->requested);
	wm_json_uint(j, "refused_bytes", n->failed);
	wm_json_uint(j, "allocator_bytes", n->allocator);
	wm_json_uint(j, "static_bytes", n->statics);
	wm_json_uint(j, "stack_bytes", n->stack);
	wm_json_uint(j, "thread_stacks_bytes", n->thread_stacks);
	wm_json_bool(j, "thread_stacks_estimated", n->stacks_estimated);
	wm_json_uint(j, "other_bytes", n->other);
	wm_json_uint(j, "child_part_bytes", n->child);
	wm_json_uint(j, "untouched_bytes", n->untouched);
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
	if (!ask->growing) {
		wm_json_text(j, "growing", NULL);
		return;
	}
	wm_json_flat_object(j, "growing");
	wm_json_uint(j, "rank", a->ranks[ask->grew].rank);
	wm_json_uint(j, "bytes_per_s", wm_rounded(a->ranks[ask->grew].growth));
	wm_json_text(j, "function", site[0] ? site : NULL);
	wm_json_end_object(j);
}

void wm_json_ask(const struct wm_analysis *a, struct wm_json *j)
{
	char line[WM_ASK_TEXT], site[NAME_COLUMNS + 1];
	struct sentence said;
	struct wm_ask ask;
	bool known;

	if (wm_ask_make(&ask, a, NULL) || find_site(&ask, a, site, NULL)) {
		wm_json_text(j, "ask", NULL);
		return;
	}
	known = wm_ask_line(&ask, a, false, line);
	make_sentence(&said, &ask, a, site);
	wm_json_object(j, "ask");
	wm_json_text(j, "sentence", said.s);
	wm_json_text(j, "line", known ? line : NULL);
	wm_json_text(j, "option", known ? strchr(line, ' ') + 1 : NULL);
	known = known && wm_ask_has_untouched(&ask) &&
		wm_ask_line(&ask, a, true, line);
	wm_json_text(j, "touched_line", known ? line : NULL);
	wm_json_uint(j, "rank", a->ranks[ask.rank].rank);
	wm_json_uint(j, "rank_mib", ask.mib);
	wm_json_uint(j, "rank_bytes", ask.rank_bytes);
	wm_json_uint(j, "rank_touched_mib", ask.full_mib);
	wm_json_uint(j, "node_mib", ask.node_mib);
	wm_json_uint(j, "node_ranks", ask.node.ranks);
	wm_json_uint(j, "node_own_bytes", ask.node.at_once);
	wm_json_uint(j, "node_sum_bytes", ask.node.own);
	wm_json_uint(j, "node_least_bytes", ask.node.least_at_once);
	wm_json_uint(j, "node_shared_bytes", ask.node.shared);
	wm_json_uint(j, "node_shared_least_bytes", ask.node.most);
	put_json_need(&ask.need, j);
	wm_json_uint(j, "margin_percent", WM_ASK_MARGIN);
	wm_json_uint(j, "tool_bytes", ask.tool);
	wm_json_uint(j, "children", a->run.child_count);
	wm_json_uint(j, "child_bytes", ask.child_bytes);
	wm_json_bool(j, "lower_bound", ask.lower_bound);
	put_json_limit(&ask, a, site, j);
	wm_json_end_object(j);
}
