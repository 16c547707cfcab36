/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Page accesses as Moca's CSV (Inria RR-8931): a row for each page that was
 * accessed in an epoch.
 *
 * How often, from which processor and at which physical address is not known:
 * a count is 1 where there was an access of that sort, the others are 0.
 */
#include "analyze/export/export.h"

#include <inttypes.h>
#include <stdbool.h>

#include "analyze/trace/epochs.h"
#include "analyze/trace/reader.h"

/* The pages of @e, in order; a page that was written may have been read. */
static void put_epoch(const struct wm_epochs *e, uint64_t start, FILE *out)
{
	const struct wm_page_set *a = &e->accessed, *w = &e->written;
	unsigned shift = e->t->page_shift;
	size_t k = 0;

	for (size_t i = 0; i < a->count; i++)
		for (uint64_t p = a->range[i].first; p < a->range[i].end; p++) {
			bool write;

			while (k < w->count && w->range[k].end <= p)
				k++;
			write = k < w->count && w->range[k].first <= p;
			fprintf(out,
				"0x%" PRIx64 ",0,%d,%d,0,%" PRIu64 ",%" PRIu64
				",%" PRIu64 "\n",
				p << shift, !write, write, start, e->epoch.end,
				e->t->pid);
		}
}

enum wm_status wm_export_moca(const struct wm_analysis *a,
			      const struct wm_opts *o, FILE *out,
			      struct wm_err *err)
{
	const struct wm_run_file *f = &a->run.files[a->ranks[a->chosen].source];
	struct wm_epochs e;
	struct wm_trace t;
	uint64_t start = 0;
	enum wm_status s = wm_trace_open(&t, f->path, f->name, WM_ALL_BLOCKS,
					 NULL, err);

	(void)o;
	if (s)
		return s;
	fputs("@Virt,@Phy,Nreads,Nwrites,CPUMask,Start,End,TaskId\n", out);
	wm_epochs_open(&e, &t);
	/* damage ends the epochs; --pages says so */
	while (!ferror(out) && !(s = wm_epochs_next(&e, NULL))) {
		put_epoch(&e, start, out);
		start = e.epoch.end;
	}
	wm_epochs_release(&e);
	wm_trace_release(&t);
	return s == WM_NO_MEMORY ? wm_no_memory(err, NULL) : WM_OK;
}
