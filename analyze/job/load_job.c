/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/crew.h"

#include <sched.h>

#include "analyze/job/spread.h"

#define DEFAULT_THREADS 8

unsigned wm_load_threads(unsigned threads, size_t groups)
{
	unsigned n = threads;
	cpu_set_t set;

	if (!n) {
		n = 1;
		if (sched_getaffinity(0, sizeof(set), &set) == 0)
			n = (unsigned)CPU_COUNT(&set);
		if (n > DEFAULT_THREADS)
			n = DEFAULT_THREADS;
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
	unsigned threads;

	/* several processes have one thread each by default */
	threads = wm_load_threads(l->threads || !helpers ? l->threads : 1,
				  l->groups->count);
	threads = wm_groups_threads(l->groups, threads);
	s = wm_crew_start(&crew, l, threads, !helpers, err);
	if (s)
		return s;
	if (helpers)
		wm_spread_serve(crew, l, threads);
	return wm_crew_end(crew);
}
