/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/need/ask.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyze/lib/base/shorten.h"
#include "analyze/lib/base/whole.h"
#include "analyze/answers/heap/path_frames.h"
#include "analyze/answers/need/failed_requests.h"

#define MIB ((uint64_t)1 << 20)

const char *const wm_limit_name[] = {
	[WM_LIMIT_NONE] = NULL,	     [WM_LIMIT_JOB] = "job",
	[WM_LIMIT_GROUP] = "cgroup", [WM_LIMIT_ADDRESS_SPACE] = "address space",
	[WM_LIMIT_DATA] = "data",    [WM_LIMIT_RANK] = "job, each rank",
};

static uint64_t whole_mib(uint64_t bytes)
{
	return (wm_with_margin(bytes) + MIB - 1) / MIB;
}

/* Returns the address space, without libraries, that rank @index would have
 * used if request @f had not been refused. */
static uint64_t space_with(const struct wm_analysis *a,
			   const struct wm_rank_need *n, size_t index,
			   const struct wm_failed *f)
{
	const struct wm_rank *r = &a->ranks[index];
	uint64_t all = n->bytes + n->untouched - n->child - n->failed;

	all -= wm_least(all, r->in[WM_HOST].peak_bytes);
	return all + wm_tool_of(r) + f->live_bytes + f->bytes;
}

/* Returns the bytes that were alive at @f and count for RLIMIT_DATA: private
 * writable memory, touched or not.  Only the resident part of a mapping shows
 * whether the mapping is shared. */
static uint64_t data_beside(const struct wm_failed *f, uint64_t shared)
{
	uint64_t none = wm_least(f->shared_bytes + f->mapped_bytes,
				 wm_most(f->shared_bytes, shared));

	return wm_above(f->live_bytes, none);
}

static uint64_t data_with(const struct wm_analysis *a,
			  const struct wm_rank_need *n, size_t index,
			  const struct wm_failed *f)
{
	const struct wm_rank *r = &a->ranks[index];
	uint64_t stacks = r->family[WM_FAMILY_stacks].peak_bytes;

	return n->allocator + n->statics + wm_most(n->thread_stacks, stacks) +
	       wm_tool_of(r) + data_beside(f, n->shared) + f->bytes;
}

/* Stores the limit of the process that request @f of rank @index met, and
 * returns whether there is one.  A limit far below the memory that was in use
 * without @f does not count: it was raised.  @space: the request met the limit
 * of the address space, if this was in force. */
static bool meets_limit(struct wm_ask *ask, const struct wm_analysis *a,
			const struct wm_rank_need *n, size_t index,
			const struct wm_failed *f, bool space)
{
	const struct wm_limits *l = &wm_analysis_origin(a, index)->limits;
	uint64_t mapped = wm_most(a->ranks[index].usage.mapped_peak,
				  f->live_bytes);

	if (space && !wm_limit_is_exceeded(mapped, l->address_space)) {
		ask->limit = WM_LIMIT_ADDRESS_SPACE;
		ask->limit_bytes = l->address_space;
	} else if (wm_limit_is_met(data_with(a, n, index, f), l->data) &&
		   !wm_limit_is_exceeded(data_beside(f, UINT64_MAX), l->data)) {
		ask->limit = WM_LIMIT_DATA;
		ask->limit_bytes = l->data;
	} else {
		return false;
	}
	return true;
}

static void find_refusal(struct wm_ask *ask, const struct wm_analysis *a,
			 size_t index)
{
	uint64_t space = wm_analysis_origin(a, index)->limits.address_space;
	const struct wm_failed *f = wm_failed_largest(a, index,
						      ask->need.failed);

	if (f)
		meets_limit(ask, a, &ask->need, index, f,
			    space && space < ask->need.bytes);
}

/* Finds a request of rank @index that met a limit of the process, even if the
 * request itself was small. */
static void find_refused(struct wm_ask *ask, const struct wm_analysis *a,
			 const struct wm_rank_need *n, size_t index)
{
	const struct wm_limits *l = &wm_analysis_origin(a, index)->limits;
	uint64_t mapped = a->ranks[index].usage.mapped_peak;
	const struct wm_failed *f;

	if (!l->address_space && !l->data)
		return;
	/* a request beyond all limits may have been a mere try */
	f = wm_failed_largest(a, index, wm_most(l->address_space, l->data));
	if (!f)
		return;
	/* the address space includes libraries, but the need does not */
	mapped = mapped ? mapped + f->bytes : space_with(a, n, index, f);
	if (meets_limit(ask, a, n, index, f,
			wm_limit_is_met(mapped, l->address_space))) {
		ask->refused = f->bytes;
		ask->refused_rank = index;
	}
}

/* Finds the first rank that gave up.  A rank that called MPI_Abort is
 * preferred, as this call makes MPI end other ranks. */
static void find_gave_up(struct wm_ask *ask, const struct wm_analysis *a)
{
	size_t i;

	for (i = 0; i < a->rank_count; i++) {
		enum wm_giving_up how = wm_rank_giving_up(&a->ranks[i]);

		if (how && (!ask->gave_up || (how == WM_GIVING_UP_ABORT &&
					      ask->gave_up != how))) {
			ask->gave_up = how;
			ask->gave_up_rank = i;
		}
	}
	ask->lower_bound |= ask->gave_up != WM_GIVING_UP_NOT;
}

static uint64_t mib_of_cpu(const struct wm_analysis *a, size_t index,
			   uint64_t bytes)
{
	uint64_t cpus = wm_most(wm_analysis_origin(a, index)->cpus, 1);

	return (whole_mib(bytes) + cpus - 1) / cpus;
}

static void add_untraced(struct wm_ask *ask, const struct wm_rank_need *n,
			 size_t index)
{
	ask->lower_bound |= n->untraced != WM_UNTRACED_NOT;
	if (n->untraced < ask->untraced ||
	    (n->untraced == ask->untraced &&
	     n->untraced_bytes <= ask->untraced_bytes))
		return;
	ask->untraced = n->untraced;
	ask->untraced_bytes = n->untraced_bytes;
	ask->untraced_rank = index;
}

static void find_worst(struct wm_ask *ask, const struct wm_analysis *a,
		       const struct wm_rank_need *need,
		       const struct wm_node_need *node)
{
	uint64_t most = 0;
	size_t i;

	for (i = 0; i < a->rank_count; i++) {
		const struct wm_node_need *of = &node[wm_job_need_node(a, i)];
		uint64_t up = of->ranks - 1; /* rounds shares up */
		uint64_t share = (of->shared + up) / of->ranks;
		uint64_t bytes = wm_least(need[i].at_once, need[i].own + share);
		/* if all requested memory is touched */
		uint64_t full = bytes + need[i].more - need[i].more_shared +
				(of->more_shared + up) / of->ranks;

		if (bytes > ask->rank_bytes) {
			ask->rank_bytes = bytes;
			ask->share = share;
			ask->rank = i;
		}
		wm_raise(&most, full);
		wm_raise(&ask->cpu_mib, mib_of_cpu(a, i, bytes));
		wm_raise(&ask->full_cpu_mib, mib_of_cpu(a, i, full));
		wm_raise(&ask->alone_mib, need[i].at_once);
		wm_raise(&ask->full_alone_mib, need[i].at_once + need[i].more);
		wm_raise(&ask->full_node_mib,
			 wm_node_need_bytes(of) + of->more);
		wm_raise(&ask->most_ranks, of->ranks);
		if (wm_node_need_bytes(of) > wm_node_need_bytes(&ask->node))
			ask->node = *of;
		ask->lower_bound |= need[i].counted == WM_COUNTED_FAILED ||
				    (need[i].tried && need[i].at_least);
		add_untraced(ask, &need[i], i);
		if (need[i].tried > ask->tried) {
			ask->tried = need[i].tried;
			ask->tried_rank = i;
		}
		wm_raise(&ask->tool, wm_tool_of(&a->ranks[i]));
	}
	ask->need = need[ask->rank];
	ask->mib = whole_mib(ask->rank_bytes);
	ask->alone_mib = whole_mib(ask->alone_mib);
	ask->full_mib = whole_mib(most);
	ask->full_alone_mib = whole_mib(ask->full_alone_mib);
	ask->full_node_mib = whole_mib(ask->full_node_mib);
	ask->node_mib = whole_mib(wm_node_need_bytes(&ask->node));
	ask->node_least_mib = whole_mib(ask->node.least_at_once +
					ask->node.shared);
	ask->node_sum_mib = whole_mib(ask->node.own + ask->node.shared);
}

/* Finds the largest child, preferably one without a trace. */
static void find_children(struct wm_ask *ask, const struct wm_analysis *a)
{
	size_t i;

	for (i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];
		bool missing = wm_rank_misses_child(r);

		ask->lower_bound |= missing || r->forked.at_least;
		if (missing < ask->child_missing ||
		    (missing == ask->child_missing &&
		     r->usage.child_peak <= ask->child_bytes))
			continue;
		ask->child_bytes = r->usage.child_peak;
		ask->child_rank = i;
		ask->child_missing = missing;
	}
}

/* Sets the amounts to lower bounds without a margin.  A limit of a process that
 * was met is none: the tool and memory that is never touched count there. */
static void take_least(struct wm_ask *ask)
{
	uint64_t node = wm_node_need_bytes(&ask->node);

	ask->margin = 0;
	ask->mib = (ask->rank_bytes + MIB - 1) / MIB;
	ask->node_mib = wm_most((node + MIB - 1) / MIB, ask->mib);
}

enum wm_status wm_ask_make(struct wm_ask *ask, const struct wm_analysis *a,
			   struct wm_err *err)
{
	struct wm_job_need n;
	enum wm_status s;
	bool failed;
	size_t i;

	memset(ask, 0, sizeof(*ask));
	s = wm_job_need_find(&n, a, err);
	if (s)
		return s;
	ask->lower_bound = !a->complete || a->missing_count || a->left_out;
	find_children(ask, a);
	find_worst(ask, a, n.rank, n.node);
	failed = ask->need.counted == WM_COUNTED_FAILED;
	if (failed)
		find_refusal(ask, a, ask->rank);
	find_gave_up(ask, a);
	s = wm_died_limit_find(&ask->death, a, &n, err);
	if (s)
		goto out;
	if (!ask->limit && ask->death.limit) {
		ask->limit = ask->death.limit;
		ask->limit_bytes = ask->death.bytes;
	}
	/* if a failed request is a part of the need, only its rank counts */
	for (i = 0; i < a->rank_count && !ask->limit; i++)
		if (!failed || i == ask->rank)
			find_refused(ask, a, &n.rank[i], i);
	ask->margin = WM_ASK_MARGIN;
	/* a request that failed makes it a lower bound */
	if (failed || (ask->tried && ask->lower_bound))
		take_least(ask);
	/* the limit was too low, even if the traces show less of the need */
	if ((ask->limit == WM_LIMIT_JOB || ask->limit == WM_LIMIT_GROUP) &&
	    ask->node_mib * MIB < ask->limit_bytes)
		ask->node_mib = (ask->limit_bytes + MIB - 1) / MIB;
out:
	wm_job_need_release(&n);
	return s;
}

/* Returns the batch system of rank @index.  If the rank was started without the
 * variables of its job, returns the batch system of the first rank that has
 * them. */
static const char *batch_of(const struct wm_analysis *a, size_t index)
{
	const struct wm_origin *o = wm_analysis_origin(a, index);
	size_t i;

	for (i = 0; !o->batch && i < a->rank_count; i++)
		if (wm_analysis_origin(a, i)->batch)
			o = wm_analysis_origin(a, i);
	return o->batch ? o->batch : o->launcher ? o->launcher : "";
}

bool wm_ask_has_untouched(const struct wm_ask *ask)
{
	return ask->full_mib > ask->mib + ask->mib / 2;
}

bool wm_ask_line(const struct wm_ask *ask, const struct wm_analysis *a,
		 bool full, char buf[WM_ASK_TEXT])
{
	const char *system = batch_of(a, ask->rank);
	uint64_t cpu = full ? ask->full_cpu_mib : ask->cpu_mib;
	uint64_t alone = full ? ask->full_alone_mib : ask->alone_mib;
	uint64_t node = full ? ask->full_node_mib : ask->node_mib;

	/* the need is only a lower bound */
	if (ask->lower_bound)
		return false;
	if (strcmp(system, "Slurm") == 0)
		snprintf(buf, WM_ASK_TEXT, "#SBATCH --mem-per-cpu=%" PRIu64 "M",
			 cpu);
	else if (strcmp(system, "PBS") == 0 || strcmp(system, "PALS") == 0)
		snprintf(buf, WM_ASK_TEXT,
			 "#PBS -l select=%" PRIu64 ":mpiprocs=%" PRIu64
			 ":mem=%" PRIu64 "mb",
			 a->nodes, ask->most_ranks, node);
	else if (strcmp(system, "LSF") == 0)
		snprintf(buf, WM_ASK_TEXT,
			 "#BSUB -M %" PRIu64 "MB -R \"rusage[mem=%" PRIu64
			 "MB]\"",
			 alone, node);
	else if (strcmp(system, "SGE") == 0)
		snprintf(buf, WM_ASK_TEXT, "#$ -l h_rss=%" PRIu64 "M", alone);
	else
		return false;
	return true;
}

static enum wm_status name_site(const struct wm_analysis *a, uint32_t path,
				char name[WM_ASK_SITE + 1], struct wm_err *err)
{
	struct wm_path_frames f = { .count = 0 };
	enum wm_status s = wm_path_frames_fill(&f, a, path, err);

	if (!s && f.count && f.frame[0].symbol)
		wm_shorten(f.frame[0].symbol->name, WM_ASK_SITE, name);
	wm_path_frames_release(&f);
	return s;
}

static enum wm_status name_failed(const struct wm_analysis *a, size_t index,
				  uint64_t bytes, char name[WM_ASK_SITE + 1],
				  struct wm_err *err)
{
	const struct wm_failed *f = bytes ? wm_failed_largest(a, index, bytes) :
					    NULL;

	return f ? name_site(a, f->path, name, err) : WM_OK;
}

enum wm_status wm_ask_sites_find(struct wm_ask_sites *sites,
				 const struct wm_ask *ask,
				 const struct wm_analysis *a,
				 struct wm_err *err)
{
	const struct wm_rank *r = &a->ranks[ask->death.grew];
	enum wm_status s = WM_OK;

	memset(sites, 0, sizeof(*sites));
	if (!ask->death.died)
		return WM_OK;
	if (ask->death.growing && r->last_path.path_count)
		s = name_site(a, r->growth_number, sites->grew, err);
	if (!s)
		s = name_failed(a, ask->rank, ask->need.failed, sites->failed,
				err);
	if (!s)
		s = name_failed(a, ask->refused_rank, ask->refused,
				sites->refused, err);
	return s;
}
