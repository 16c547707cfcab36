/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/pages/pages.h"

#include <stdlib.h>
#include <string.h>

void wm_page_totals_add(struct wm_page_totals *t, const struct wm_epoch *e)
{
	t->epochs++;
	t->written_alone += e->written_alone;
	t->accessed_sum += e->accessed;
	t->written_sum += e->written;
	if (t->accessed_most < e->accessed)
		t->accessed_most = e->accessed;
	if (t->written_most < e->written)
		t->written_most = e->written;
	if (t->resident_most < e->resident)
		t->resident_most = e->resident;
	t->covered = e->covered;
	t->cpu_ns = e->cpu;
	t->scan_ns += e->scan;
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
