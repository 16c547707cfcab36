/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/pages/pages.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/base/whole.h"

void wm_page_totals_begin(struct wm_page_totals *t, const struct wm_trace *of)
{
	t->page_bytes = UINT64_C(1) << of->page_shift;
	t->interval_ns = of->interval_ns;
	t->watch = of->watch;
}

void wm_page_totals_add(struct wm_page_totals *t, const struct wm_epoch *e,
			uint64_t end_ns)
{
	t->epochs++;
	t->written_alone += e->written_alone;
	t->accessed_time += (double)e->accessed * (double)wm_epoch_weight(e);
	t->written_time += (double)e->written * (double)wm_epoch_weight(e);
	t->time += (double)wm_epoch_weight(e);
	t->last_ns = e->cpu_step;
	if (t->longest_ns < e->cpu_step) {
		t->longest_ns = e->cpu_step;
		t->longest_end_ns = end_ns;
	}
	wm_raise(&t->accessed_most, e->accessed);
	wm_raise(&t->written_most, e->written);
	wm_raise(&t->resident_most, e->resident);
	t->covered = e->covered;
	t->cpu_ns = e->cpu;
	if (e->number < t->watch.epochs_end)
		t->watch_cpu_ns = e->cpu;
	t->scan_ns += e->scan;
}

uint64_t wm_page_totals_mean(const struct wm_page_totals *t, double time)
{
	return t->time > 0 ? (uint64_t)(time / t->time + .5) : 0;
}

/* Faults take half of their estimate at least: the program's own system calls
 * may be in it.  At most they take a quarter more; and behind each the program
 * brings its data into the caches again, and addresses into the TLB: so many ns
 * at most, and this part of its own time (docs/benchmarks.md). */
#define LEAST_PART .5
#define MOST_PART 1.25
#define LOST_NS 1500
#define LOST_PART .3

/* A killed process leaves epochs that came behind the last word of it. */
uint64_t wm_page_totals_cost(const struct wm_page_totals *t, uint64_t *least,
			     uint64_t *most)
{
	double more = t->watch_cpu_ns ?
			      (double)t->cpu_ns / (double)t->watch_cpu_ns :
			      0;
	double thread = more * (double)t->watch.thread_ns;
	double faults = more * (double)t->watch.faults_ns;
	double lost = more * (double)t->watch.faults * LOST_NS;
	double own = LOST_PART * ((double)t->cpu_ns - faults);

	if (lost > own)
		lost = own > 0 ? own : 0;
	if (least)
		*least = (uint64_t)(thread + LEAST_PART * faults);
	if (most)
		*most = (uint64_t)(thread + MOST_PART * faults + lost);
	return (uint64_t)(thread + faults);
}

void wm_pages_release(struct wm_pages *p)
{
	free(p->epoch);
	free(p->owner);
	free(p->interval);
	wm_page_chart_release(&p->chart);
	free(p->not_covered);
	free(p->end);
	free(p->block);
	memset(p, 0, sizeof(*p));
}
