/* SPDX-License-Identifier: Apache-2.0 */
/* --imbalance with --node-memory or --ranks-per-node: how many ranks like those
 * of the run fit a node. */
#include "analyze/answers/need/fit.h"

#include <inttypes.h>

#include "analyze/lib/base/units.h"
#include "analyze/answers/reports.h"
#include "analyze/answers/text.h"

static void tell_node(const struct wm_node_fit *f, uint64_t ranks,
		      struct wm_doc *d)
{
	static const char *const whose[] = {
		[WM_LIMIT_JOB] = "batch job",
		[WM_LIMIT_GROUP] = "cgroup",
		[WM_LIMIT_RANK] = "batch job",
	};
	struct wm_figure b[4];

	wm_doc_print(d,
		     "  %s: %s rank%s like these, with %d %% more: the worst "
		     "first, which needs %s%s",
		     wm_bytes(&b[0], f->node_memory), wm_count(&b[1], f->ranks),
		     f->ranks == 1 ? "" : "s", WM_ASK_MARGIN,
		     wm_bytes(&b[2], f->worst),
		     f->ranks > ranks ? ", and further ones like it" : "");
	if (f->most_ranks > f->ranks)
		wm_doc_print(d, "; %s if each needs the mean, %s",
			     wm_count(&b[0], f->most_ranks),
			     wm_bytes(&b[1], f->mean));
	if (f->shared)
		wm_doc_print(d, "; %s are shared", wm_bytes(&b[3], f->shared));
	wm_doc_print(d, "\n");
	if (f->touched_ranks < f->ranks)
		wm_doc_print(d,
			     "  %s rank%s where all that they requested is in "
			     "RAM at once\n",
			     wm_count(&b[0], f->touched_ranks),
			     f->touched_ranks == 1 ? "" : "s");
	if (f->limit)
		wm_doc_print(d,
			     "  the limit of this run's %s, %s%s, is met "
			     "first: %s rank%s\n",
			     whose[f->limit], wm_bytes(&b[0], f->limit_bytes),
			     f->limit == WM_LIMIT_RANK ? " for each rank" : "",
			     wm_count(&b[1], f->limit_ranks),
			     f->limit_ranks == 1 ? "" : "s");
}

/* @known: the need of the ranks is no mere lower bound. */
static const char *verdict(const struct wm_node_fit *f, bool known)
{
	return f->low_bytes > f->node_memory	   ? "more than the node" :
	       known && f->bytes <= f->node_memory ? "that fits a node" :
						     "that may fit a node";
}

static const char *more_than(uint64_t bytes)
{
	return bytes < WM_FIT_MANY ? "" : "more than ";
}

static void tell_ranks(const struct wm_node_fit *f, bool known,
		       struct wm_doc *d)
{
	struct wm_figure b[4];

	wm_doc_print(d, "  %s rank%s a node: %s%s with %d %% more",
		     wm_count(&b[0], f->asked), f->asked == 1 ? "" : "s",
		     more_than(f->bytes), wm_bytes(&b[1], f->bytes),
		     WM_ASK_MARGIN);
	if (f->low_bytes < f->bytes - f->bytes / 50)
		wm_doc_print(d,
			     ", the worst first and further ones like the "
			     "worst; %s%s if each adds their mean",
			     more_than(f->low_bytes),
			     wm_bytes(&b[2], f->low_bytes));
	if (f->touched_bytes > f->bytes)
		wm_doc_print(
			d,
			"; %s%s where all that they requested is in RAM at once",
			more_than(f->touched_bytes),
			wm_bytes(&b[2], f->touched_bytes));
	if (f->node_memory)
		wm_doc_print(d, "; %s of %s", verdict(f, known),
			     wm_bytes(&b[3], f->node_memory));
	wm_doc_print(d, "\n");
}

static void put_data(const struct wm_node_fit *f, struct wm_json *j)
{
	bool node = f->node_memory != 0, asked = f->asked != 0;

	wm_json_flat_object(j, "fit");
	wm_json_known(j, "node_memory_bytes", node, f->node_memory);
	wm_json_known(j, "ranks", node, f->ranks);
	wm_json_known(j, "most_ranks", node, f->most_ranks);
	wm_json_known(j, "touched_ranks", node, f->touched_ranks);
	wm_json_text(j, "limit", wm_limit_name[f->limit]);
	wm_json_known(j, "limit_bytes", f->limit != WM_LIMIT_NONE,
		      f->limit_bytes);
	wm_json_known(j, "limit_ranks", f->limit != WM_LIMIT_NONE,
		      f->limit_ranks);
	wm_json_known(j, "ranks_per_node", asked, f->asked);
	wm_json_known(j, "bytes", asked, f->bytes);
	wm_json_known(j, "low_bytes", asked, f->low_bytes);
	wm_json_known(j, "touched_bytes", asked, f->touched_bytes);
	wm_json_end_object(j);
}

enum wm_status wm_tell_fit(const struct wm_analysis *a, const struct wm_opts *o,
			   unsigned audience, struct wm_doc *d,
			   struct wm_err *err)
{
	enum wm_status s;
	struct wm_node_fit f;

	if (!wm_doc_wants(d, audience))
		return WM_OK;
	s = wm_fit_find(&f, a, o->node_memory, o->ranks_per_node, err);
	if (s)
		return s;
	if (audience & WM_FOR_DATA)
		put_data(&f, &d->data);
	if (!(audience & WM_FOR_TEXT) || (!f.node_memory && !f.asked))
		return WM_OK;
	wm_doc_heading(d, "Ranks like these on a node");
	if (f.node_memory)
		tell_node(&f, a->rank_count, d);
	if (f.asked)
		tell_ranks(&f, a->complete && !f.at_least, d);
	if (!a->complete || f.at_least)
		wm_doc_print(d, "  ranks may need more: %s\n",
			     a->complete ? "not all that they need is known" :
					   "a part of the run is missing");
	return WM_OK;
}
