/* SPDX-License-Identifier: Apache-2.0 */
/* The end of the summary: what to ask the batch system for; and run.ask. */
#include "analyze/report/ask.h"

#include <inttypes.h>
#include <stdio.h>

#include "analyze/queries/ask.h"
#include "analyze/render/table.h"
#include "analyze/report/text.h"

static void put(struct wm_table *t, const char *what)
{
	wm_table_at(t, 0);
	wm_table_text(t, what);
}

/* "heap 20.9 MiB, allocator 310.2 KiB, ...": they add up. */
static void put_parts(struct wm_table *t, const struct wm_rank_need *n)
{
	const struct {
		const char *name;
		uint64_t bytes;
	} part[] = {
		{ "requested", n->requested },	{ "allocator", n->allocator },
		{ "static", n->statics },	{ "stack", n->stack },
		{ "code and other", n->other },
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
			 "; %s of it never in RAM", wm_bytes(&b, n->untouched));
	put(t, "parts");
	wm_table_text(t, text);
}

static void put_ask(struct wm_table *t, const struct wm_ask *ask,
		    const struct wm_analysis *a)
{
	char option[WM_ASK_TEXT];
	struct wm_buf b;

	put(t, "a rank");
	wm_table_format(t,
			"%s%" PRIu64 " MiB: %s %s (rank %" PRIu64
			"), and %d %% more",
			ask->lower_bound ? "at least " : "", ask->mib,
			wm_bytes(&b, ask->need.bytes),
			ask->need.resident ? "resident without the tool" :
					     "requested",
			a->ranks[ask->rank].rank, WM_ASK_MARGIN);
	put_parts(t, &ask->need);
	put(t, "a node");
	wm_table_format(t, "%s%" PRIu64 " MiB: of %" PRIu64 " rank%s",
			ask->lower_bound ? "at least " : "", ask->node_mib,
			ask->node_ranks, ask->node_ranks == 1 ? "" : "s");
	if (wm_ask_option(ask, a, option)) {
		put(t, "option");
		wm_table_text(t, option);
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
	struct wm_table t;
	struct wm_ask ask;
	enum wm_status s = wm_ask_make(&ask, a, err);

	if (s)
		return s;
	wm_doc_heading(d, "What to ask the batch system for%s",
		       ask.lower_bound ? " (a part of the run is missing)" :
					 "");
	wm_table_init(&t, columns);
	put_ask(&t, &ask, a);
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
	return WM_OK;
}

void wm_json_ask(const struct wm_analysis *a, struct wm_json *j)
{
	const struct wm_rank_need *n;
	char option[WM_ASK_TEXT];
	struct wm_ask ask;

	if (wm_ask_make(&ask, a, NULL)) {
		wm_json_text(j, "ask", NULL);
		return;
	}
	n = &ask.need;
	wm_json_object(j, "ask");
	wm_json_uint(j, "rank", a->ranks[ask.rank].rank);
	wm_json_uint(j, "rank_mib", ask.mib);
	wm_json_uint(j, "node_mib", ask.node_mib);
	wm_json_uint(j, "node_ranks", ask.node_ranks);
	wm_json_uint(j, "need_bytes", n->bytes);
	wm_json_text(j, "counts", n->resident ? "resident" : "requested");
	wm_json_uint(j, "requested_bytes", n->requested);
	wm_json_uint(j, "allocator_bytes", n->allocator);
	wm_json_uint(j, "static_bytes", n->statics);
	wm_json_uint(j, "stack_bytes", n->stack);
	wm_json_uint(j, "other_bytes", n->other);
	wm_json_uint(j, "untouched_bytes", n->untouched);
	wm_json_uint(j, "margin_percent", WM_ASK_MARGIN);
	wm_json_uint(j, "tool_bytes", ask.tool);
	wm_json_bool(j, "lower_bound", ask.lower_bound);
	wm_json_text(j, "option",
		     wm_ask_option(&ask, a, option) ? option : NULL);
	wm_json_end_object(j);
}
