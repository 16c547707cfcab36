/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/load.h"

#include <sched.h>

#include "analyze/job/spread.h"

#define DEFAULT_JOBS 8

unsigned wm_load_jobs(unsigned jobs, size_t groups)
{
	unsigned n = jobs;
	cpu_set_t set;

	if (!n) {
		n = 1;
		if (sched_getaffinity(0, sizeof(set), &set) == 0)
			n = (unsigned)CPU_COUNT(&set);
		if (n > DEFAULT_JOBS)
			n = DEFAULT_JOBS;
	}
	if (n > groups)
		n = (unsigned)groups;
	return n ? n : 1;
}

enum wm_status wm_load_run(const struct wm_load *l, struct wm_err *err)
{
	size_t helpers = wm_spread_helpers();
	struct wm_crew *crew;
	enum wm_status s;
	unsigned jobs;

	/* with other processes one thread each, unless told otherwise */
	jobs = wm_load_jobs(l->jobs || !helpers ? l->jobs : 1,
			    l->groups->count);
	jobs = wm_groups_jobs(l->groups, jobs);
	s = wm_crew_start(&crew, l, jobs, !helpers, err);
	if (s)
		return s;
	if (helpers)
		wm_spread_serve(crew);
	return wm_crew_end(crew);
}
