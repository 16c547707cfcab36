/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/time/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/whole.h"

/* Finds the highest value of @r in [@from, @to) seconds, and the last value
 * there.  Returns false if the rank did not run then. */
static bool find_values(const struct wm_rank *r, double from, double to,
			uint64_t *max, uint64_t *end)
{
	const struct wm_timeline *t = &r->timeline;
	double edge = t->seconds * 1e-8;
	size_t i, last;

	*max = *end = 0;
	from -= r->begin;
	to -= r->begin;
	if (!t->count || !(t->seconds > 0) || to < edge ||
	    from > (double)t->count * t->seconds - edge)
		return false;
	i = from > 0 ? (size_t)(from / t->seconds + 1e-9) : 0;
	last = (size_t)(to / t->seconds - 1e-9);
	for (; i <= last && i < t->count; i++) {
		wm_raise(max, t->bin[i].max);
		*end = t->bin[i].end;
	}
	return true;
}

static bool is_asked(const struct wm_analysis *a, size_t i)
{
	return a->chosen == WM_ALL_RANKS || a->chosen == i;
}

/* Finds the times of the first and the last bin of the ranks. */
static void find_stretch(const struct wm_analysis *a, double *from, double *to)
{
	bool any = false;

	*from = *to = 0;
	for (size_t i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];
		double end = wm_rank_bin(r, r->timeline.count);

		if (!is_asked(a, i) || !r->timeline.count)
			continue;
		if (!any || r->begin < *from)
			*from = r->begin;
		if (!any || end > *to)
			*to = end;
		any = true;
	}
}

/* Fills row @p with the values of all ranks, or of the chosen rank. */
static void fill_point(const struct wm_analysis *a, struct wm_timeline_point *p,
		       double step)
{
	uint64_t max, end, sum = 0;
	size_t i, n = 0;

	p->low = UINT64_MAX;
	for (i = 0; i < a->rank_count; i++) {
		if (!is_asked(a, i) || !find_values(&a->ranks[i], p->from,
						    p->from + step, &max, &end))
			continue;
		wm_raise(&p->max, max);
		wm_lower(&p->low, max);
		p->end = end;
		sum += max;
		n++;
	}
	p->mean = n ? sum / n : 0;
	if (!n)
		p->low = 0;
}

enum wm_status wm_points_make(struct wm_points *p, const struct wm_analysis *a,
			      size_t count, struct wm_err *err)
{
	size_t bins = 0, rows, i;
	double from, to;

	memset(p, 0, sizeof(*p));
	for (i = 0; i < a->rank_count; i++)
		if (is_asked(a, i) && a->ranks[i].timeline.count > bins)
			bins = a->ranks[i].timeline.count;
	find_stretch(a, &from, &to);
	rows = count && count < bins ? count : bins ? bins : 1;
	/* a row has whole bins; otherwise edges would fall between rows */
	if (a->chosen != WM_ALL_RANKS && count && bins > count)
		p->step = (to - from) / (double)bins *
			  (double)((bins + count - 1) / count);
	else
		p->step = (to - from) / (double)rows;
	p->count = p->step > 0 ? (size_t)((to - from) / p->step + 0.999999) : 0;
	p->all = a->chosen == WM_ALL_RANKS;
	p->point = calloc(p->count + 1, sizeof(*p->point));
	if (!p->point)
		return wm_no_memory(err, NULL);
	for (i = 0; i < p->count; i++) {
		p->point[i].from = from + (double)i * p->step;
		fill_point(a, &p->point[i], p->step);
		wm_raise(&p->max, p->point[i].max);
	}
	return WM_OK;
}

void wm_points_release(struct wm_points *p)
{
	free(p->point);
	memset(p, 0, sizeof(*p));
}
