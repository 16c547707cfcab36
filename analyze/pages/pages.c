/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/pages/pages.h"

#include "analyze/lib/base/whole.h"

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

/* Faults take from half of their estimate, which may include the program's own
 * system calls, to a quarter more.  After a fault, refilling caches and TLB
 * takes at most LOST_NS ns per fault, and LOST_PART of the program's time. */
#define LEAST_PART .5
#define MOST_PART 1.25
#define LOST_NS 1500
#define LOST_PART .3

/* A killed process has epochs after its last report of the cost. */
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

void wm_pages_wire(struct wm_wire *w, struct wm_pages *p)
{
	wm_wire_array(w, &p->epoch, &p->epochs, &p->epoch_cap,
		      sizeof(*p->epoch));
	wm_wire_array(w, &p->owner, &p->owners, NULL, sizeof(*p->owner));
	wm_wire_array(w, &p->interval, &p->intervals, &p->interval_cap,
		      sizeof(*p->interval));
	wm_page_chart_wire(w, &p->chart);
	wm_wire_array(w, &p->not_covered, &p->not_covered_count, NULL,
		      sizeof(*p->not_covered));
	wm_wire_text(w, &p->end);
	wm_wire_array(w, &p->block, &p->blocks, NULL, sizeof(*p->block));
}

void wm_pages_release(struct wm_pages *p)
{
	WM_WIRE_FREE(p, wm_pages_wire);
}
