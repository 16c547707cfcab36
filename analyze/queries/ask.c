/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/queries/ask.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB ((uint64_t)1 << 20)

/* The tool's part, as far as it is known: what was resident, or could be. */
static uint64_t tool_of(const struct wm_rank *r)
{
	return r->tool.resident ? r->tool.resident : r->tool.memory;
}

static uint64_t above(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static void find_need(struct wm_rank_need *n, const struct wm_analysis *a,
		      size_t index)
{
	const struct wm_rank *r = &a->ranks[index];
	const struct wm_census *c = wm_analysis_census(a, index);
	/* MPI may have from malloc what it gives */
	uint64_t heap = r->family[WM_FAMILY_heap].peak_bytes +
			r->family[WM_FAMILY_mpi].peak_bytes;
	uint64_t sum;

	n->requested = r->peak_bytes;
	n->allocator = above(r->footprint_peak, heap);
	n->statics = c ? c->static_bytes : 0;
	n->stack = r->usage.stack_peak;
	sum = n->requested + n->allocator + n->statics + n->stack;
	/* only what END tells is the process's highest */
	n->resident = r->peak_rss > tool_of(r) && r->tool.resident;
	n->bytes = n->resident ? r->peak_rss - tool_of(r) : sum;
	n->other = above(n->bytes, sum);
	n->untouched = above(sum, n->bytes);
}

/* With the margin, in MiB. */
static uint64_t whole_mib(uint64_t bytes)
{
	return (bytes + bytes / 100 * WM_ASK_MARGIN + MIB - 1) / MIB;
}

static void find_limits(struct wm_ask *ask, const struct wm_analysis *a)
{
	size_t i;

	ask->lower_bound = !a->complete || a->missing_count || a->left_out;
	for (i = 0; i < a->rank_count; i++)
		if (tool_of(&a->ranks[i]) > ask->tool)
			ask->tool = tool_of(&a->ranks[i]);
}

enum wm_status wm_ask_make(struct wm_ask *ask, const struct wm_analysis *a,
			   struct wm_err *err)
{
	struct sum {
		uint64_t bytes, ranks;
	} *node = calloc(a->run.file_count + 1, sizeof(*node));
	size_t i;

	memset(ask, 0, sizeof(*ask));
	if (!node)
		return wm_no_memory(err, NULL);
	for (i = 0; i < a->rank_count; i++) {
		struct sum *s = &node[a->run.files[a->ranks[i].source].node];
		struct wm_rank_need n;

		find_need(&n, a, i);
		if (!i || n.bytes > ask->need.bytes) {
			ask->need = n;
			ask->rank = i;
		}
		s->bytes += n.bytes;
		s->ranks++;
	}
	ask->mib = whole_mib(ask->need.bytes);
	for (i = 0; i <= a->run.file_count; i++) {
		if (node[i].ranks > ask->most_ranks)
			ask->most_ranks = node[i].ranks;
		if (whole_mib(node[i].bytes) <= ask->node_mib)
			continue;
		ask->node_mib = whole_mib(node[i].bytes);
		ask->node_ranks = node[i].ranks;
	}
	free(node);
	find_limits(ask, a);
	return WM_OK;
}

bool wm_ask_option(const struct wm_ask *ask, const struct wm_analysis *a,
		   char buf[WM_ASK_TEXT])
{
	const struct wm_origin *o = wm_analysis_origin(a, 0);
	const char *system = o->batch	 ? o->batch :
			     o->launcher ? o->launcher :
					   "";
	uint64_t cpus = o->cpus ? o->cpus : 1;

	if (strcmp(system, "Slurm") == 0)
		snprintf(buf, WM_ASK_TEXT,
			 "--mem-per-cpu=%" PRIu64 "M (%" PRIu64
			 " processor%s a rank) or --mem=%" PRIu64 "M",
			 (ask->mib + cpus - 1) / cpus, cpus,
			 cpus == 1 ? "" : "s", ask->node_mib);
	else if (strcmp(system, "PBS") == 0 || strcmp(system, "PALS") == 0)
		snprintf(buf, WM_ASK_TEXT,
			 "-l select=%" PRIu64 ":mpiprocs=%" PRIu64
			 ":mem=%" PRIu64 "mb",
			 a->nodes, ask->most_ranks, ask->node_mib);
	else if (strcmp(system, "LSF") == 0)
		snprintf(buf, WM_ASK_TEXT,
			 "-M %" PRIu64 "MB -R \"rusage[mem=%" PRIu64
			 "MB]\" (of a process, of a host)",
			 ask->mib, ask->node_mib);
	else if (strcmp(system, "SGE") == 0)
		snprintf(buf, WM_ASK_TEXT,
			 "-l h_rss=%" PRIu64
			 "M (h_vmem counts address space: more)",
			 ask->mib);
	else
		return false;
	return true;
}
