/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of the table of WM_SUMMARY: curves of live bytes against a model
 * that keeps each change, their sum over the ranks of a node, and means and
 * deviations whose values are known.
 */
#include "runtime/summary/summary.h"

#include <inttypes.h>
#include <string.h>

#include "tests/unit/random.h"
#include "tests/unit/tap.h"

#define RANKS 5
#define CHANGES 3000

/* Live bytes from @time on. */
struct change {
	uint64_t time, live;
	unsigned rank;
};

static struct change model[RANKS][CHANGES + 1]; /* the last: the end */
static struct wm_summary_record record[RANKS];

/* A rank that begins at @time and makes a change every @step ticks or so: the
 * counters as runtime/trace/usage.c keeps them. */
static void run(unsigned rank, uint64_t time, uint64_t step)
{
	struct wm_summary_record *r = &record[rank];
	uint64_t until = 0, live = 0, high = 0;
	struct change *c = model[rank];

	memset(r, 0, sizeof(*r));
	r->rank = rank;
	r->ranks = RANKS;
	for (unsigned i = 0; i <= CHANGES; i++, c++) {
		time += below(100) ? below(step) : 30 * step;
		if (time >= until || i == CHANGES) {
			until = wm_curve_until(&r->heap.curve, time, high,
					       live);
			high = live;
		}
		if (i < CHANGES)
			live = below(3) ? live + below(100000) :
					  below(live + 1);
		high = live > high ? live : high;
		r->heap.peak = live > r->heap.peak ? live : r->heap.peak;
		*c = (struct change){ time, live, rank };
	}
	r->has_heap = 1;
	r->heap.live = live;
}

/* Each bin has the highest and the last of what the model has in its time. */
static unsigned wrong_bins(unsigned rank)
{
	const struct wm_curve *c = &record[rank].heap.curve;
	uint64_t live = 0, max, bin;
	unsigned wrong = 0, i = 0;

	for (uint32_t b = 0; b < c->count; b++) {
		bin = c->first + b;
		max = live;
		for (; i <= CHANGES && model[rank][i].time >> c->shift == bin;
		     i++) {
			live = model[rank][i].live;
			max = live > max ? live : max;
		}
		wrong += c->bin[b].max != max || c->bin[b].end != live;
	}
	return wrong + (i != CHANGES + 1);
}

/* The most that the ranks have at one time. */
static uint64_t highest_sum(unsigned ranks)
{
	unsigned at[RANKS] = { 0 };
	uint64_t live[RANKS] = { 0 }, sum, high = 0;

	for (;;) {
		const struct change *next = NULL;

		for (unsigned r = 0; r < ranks; r++)
			if (at[r] <= CHANGES &&
			    (!next || model[r][at[r]].time < next->time))
				next = &model[r][at[r]];
		if (!next)
			return high;
		at[next->rank]++;
		live[next->rank] = next->live;
		sum = 0;
		for (unsigned r = 0; r < ranks; r++)
			sum += live[r];
		high = sum > high ? sum : high;
	}
}

static void node(void)
{
	static struct wm_summary_job job;
	uint64_t most, least, sum = 0, exact;
	unsigned outside = 0, loose = 0, wrong = 0, failed = 0;

	for (unsigned round = 0; round < 200; round++) {
		uint64_t start = below(UINT64_C(1) << 50);

		sum = 0;
		for (unsigned r = 0; r < RANKS; r++) {
			run(r, start + below(UINT64_C(1) << 32),
			    UINT64_C(1) << (8 + round % 24));
			wrong += wrong_bins(r);
			failed += wm_summary_add(&job, &record[r]) != 0;
			sum += record[r].heap.peak;
		}
		exact = highest_sum(RANKS);
		wm_summary_concurrent(&job.node[0], &most, &least);
		outside += exact > most || exact < least;
		loose += most > sum;
		failed += job.nodes != 1 || job.node[0].unknown;
		wm_summary_release(&job);
	}
	ok(!wrong,
	   "bins have the highest and the last of their time: %u do not",
	   wrong);
	ok(!failed, "200 nodes of 5 ranks");
	ok(!outside, "the node's peak is between the bounds: %u are not",
	   outside);
	ok(!loose, "the upper one is at most the sum of peaks: %u are not",
	   loose);
}

/* Two ranks take turns at having 1,000 bytes: never both. */
static void turns(void)
{
	static struct wm_summary_job job;
	uint64_t most, least, width = UINT64_C(1) << WM_CURVE_SHIFT;

	memset(record, 0, sizeof(record));
	for (unsigned r = 0; r < 2; r++) {
		struct wm_curve *c = &record[r].heap.curve;

		wm_curve_until(c, (10 + 20 * r) * width, 0, 0);
		wm_curve_until(c, (15 + 20 * r) * width, 1000, 0);
		record[r].has_heap = 1;
		record[r].heap.peak = 1000;
		wm_summary_add(&job, &record[r]);
	}
	wm_summary_concurrent(&job.node[0], &most, &least);
	ok(most == 1000 && least == 1000, "ranks that take turns: 1,000 bytes");
	record[2].rank = 2; /* its allocator tells nothing */
	wm_summary_add(&job, &record[2]);
	ok(job.node[0].unknown == 1 && job.peak.count == 2 && job.count == 3,
	   "a rank whose heap is not known");
	wm_summary_release(&job);
}

/* @n numbers, of which every second one is @b, in fields and statistics. */
static void numbers(unsigned n, uint64_t a, uint64_t b, uint64_t mean,
		    uint64_t deviation)
{
	static struct wm_summary_job job;
	static struct wm_summary_record r;

	r.ranks = n;
	for (r.rank = 0; r.rank < n; r.rank++) {
		r.tool_bytes = r.rank & 1 ? b : a;
		wm_summary_add(&job, &r);
	}
	ok(wm_summary_mean(&job.tool) == mean &&
		   wm_summary_deviation(&job.tool) == deviation,
	   "%u numbers, %" PRIu64 " and %" PRIu64 ": mean %" PRIu64
	   ", deviation %" PRIu64,
	   n, a, b, wm_summary_mean(&job.tool),
	   wm_summary_deviation(&job.tool));
	wm_summary_release(&job);
}

int main(void)
{
	const uint64_t big = UINT64_C(1) << 60, far = UINT64_C(1) << 54;

	tap_plan(13);
	node();
	turns();
	numbers(1, 7, 0, 7, 0);
	numbers(2, 1000, 3000, 2000, 1000);
	numbers(3, 0, 3, 1, 1);
	numbers(4, 0, 0, 0, 0);
	numbers(1000, 100, 101, 101, 0);
	numbers(1048576, big, big + far, big + far / 2, far / 2);
	numbers(1000001, 5, 5, 5, 0);
	return tap_done();
}
