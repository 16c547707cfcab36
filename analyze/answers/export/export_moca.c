/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Page accesses as Moca's CSV (Inria RR-8931): a row for each page that was
 * accessed in an epoch.
 *
 * The number of accesses and the physical address are unknown: a count is 1 if
 * there was an access of that kind.  If the program's hooks record accesses
 * (WM_ACCESS=pages), processors are known, and so is whether a page that was
 * written was also read; else both are 0.
 */
#include "analyze/answers/export/export.h"

#include <inttypes.h>
#include <stdbool.h>

#include "analyze/answers/pages/pages_by_epoch.h"
#include "wm/trace_format.h"

/* Writes one row; @cpus is in hexadecimal, or 0. */
static void put_page(const struct wm_epochs *e, uint64_t page, bool read,
		     bool write, const char *cpus, uint64_t start, FILE *out)
{
	fprintf(out,
		"0x%" PRIx64 ",0,%d,%d,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64
		"\n",
		page << e->t->page_shift, read, write, cpus, start,
		e->epoch.end, e->t->pid);
}

/* Writes the pages of @e in order; a page that was written may have been
 * read. */
static void put_epoch(const struct wm_epochs *e, uint64_t start, FILE *out)
{
	const struct wm_page_set *a = &e->accessed, *w = &e->written;
	size_t k = 0;

	for (size_t i = 0; i < a->count; i++)
		for (uint64_t p = a->range[i].first; p < a->range[i].end; p++) {
			bool write;

			while (k < w->count && w->range[k].end <= p)
				k++;
			write = k < w->count && w->range[k].first <= p;
			put_page(e, p, !write, write, "0", start, out);
		}
}

#define CPUS 4096 /* processors that have a bit in a mask */

/* Writes the processors of @w's page as a number. */
static void write_mask(const struct wm_page_walk *w, char *to)
{
	uint8_t nibble[CPUS / 4] = { 0 };
	size_t top = 0;

	for (size_t i = 0; i < w->touchers; i++) {
		uint32_t cpu = w->toucher[i].cpu;

		if (cpu >= CPUS)
			continue;
		nibble[cpu / 4] |= (uint8_t)(1u << cpu % 4);
		top = cpu / 4 > top ? cpu / 4 : top;
	}
	*to++ = '0';
	*to++ = 'x';
	for (size_t i = top + 1; i--;)
		*to++ = "0123456789abcdef"[nibble[i]];
	*to = 0;
}

/* Writes pages if the program's hooks recorded accesses by processor. */
static enum wm_status put_hooked(const struct wm_epochs *e, uint64_t start,
				 FILE *out, struct wm_err *err)
{
	struct wm_page_walk w = { .toucher_room = NULL };
	char cpus[CPUS / 4 + 3] = "0";
	enum wm_status s;

	wm_page_walk_begin(&w, &e->touches, &e->accessed);
	while (!(s = wm_page_walk_next(&w, err))) {
		unsigned did = 0;

		for (size_t i = 0; i < w.touchers; i++)
			did |= w.toucher[i].did;
		if (!w.same)
			write_mask(&w, cpus);
		put_page(e, w.page, did & WMT_WHO_READ, did & WMT_WHO_WRITTEN,
			 cpus, start, out);
	}
	wm_page_walk_end(&w);
	return s == WM_END ? WM_OK : s;
}

enum wm_status wm_export_moca(const struct wm_analysis *a,
			      const struct wm_opts *o, FILE *out,
			      struct wm_err *err)
{
	struct wm_page_epochs x;
	uint64_t start = 0;
	enum wm_status s = wm_page_epochs_open(&x, a, err);

	(void)o;
	if (s)
		return s;
	fputs("@Virt,@Phy,Nreads,Nwrites,CPUMask,Start,End,TaskId\n", out);
	while (!ferror(out) && !(s = wm_page_epochs_next(&x, err))) {
		if (!x.e.touches.pages)
			put_epoch(&x.e, start, out);
		else if ((s = put_hooked(&x.e, start, out, err)))
			break;
		start = x.e.epoch.end;
	}
	wm_page_epochs_release(&x);
	return s == WM_END ? WM_OK : s;
}
