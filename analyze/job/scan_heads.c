/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/scan_heads.h"

#include <pthread.h>
#include <stdbool.h>

#include "analyze/lib/base/whole.h"
#include "analyze/job/facts.h"

/* Reading heads is mostly waiting, so the number of threads does not depend on
 * the number of processors.  Each thread has at least FILES_A_THREAD files. */
#define SCAN_THREADS 8
#define FILES_A_THREAD 64

struct scan {
	struct wm_run *run;
	size_t next; /* first file not taken; atomic */
	bool no_memory;
};

static void *read_heads(void *arg)
{
	struct scan *s = arg;
	size_t i;

	while ((i = __atomic_fetch_add(&s->next, 1, __ATOMIC_RELAXED)) <
	       s->run->all_count)
		if (wm_facts_read(&s->run->files[i], NULL))
			__atomic_store_n(&s->no_memory, 1, __ATOMIC_RELAXED);
	return NULL;
}

static enum wm_status read_all(struct wm_run *run, unsigned threads,
			       struct wm_err *err)
{
	struct scan s = { .run = run };
	pthread_t thread[SCAN_THREADS];
	size_t n = run->all_count / FILES_A_THREAD, started = 0;

	wm_lower(&n, SCAN_THREADS);
	if (threads && n > threads)
		n = threads;
	/* this thread takes part */
	while (started + 1 < n &&
	       !pthread_create(&thread[started], NULL, read_heads, &s))
		started++;
	read_heads(&s);
	while (started)
		pthread_join(thread[--started], NULL);
	return s.no_memory ? wm_no_memory(err, NULL) : WM_OK;
}

enum wm_status wm_scan_run(struct wm_run *run, struct wm_file_groups *groups,
			   unsigned needs, unsigned threads, struct wm_err *err)
{
	static enum wm_status (*const step[])(struct wm_run *,
					      struct wm_err *) = {
		wm_spawned_number, wm_run_order,  wm_foreign_part,
		wm_run_programs,   wm_nodes_find, wm_job_clock_find,
	};
	enum wm_status r = read_all(run, threads, err);

	for (size_t i = 0; i < sizeof(step) / sizeof(*step) && !r; i++)
		r = step[i](run, err);
	if (!r)
		r = wm_groups_make(groups, run, needs, err);
	if (!r)
		r = wm_duplicates_note(run, err);
	for (size_t i = 0; i < run->all_count; i++)
		wm_facts_free(&run->files[i]);
	return r;
}
