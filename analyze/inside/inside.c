/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comes in: a trace, in the process that writes it.  Goes out: its peak and a
 * curve of live bytes (wm/replayed.h).
 *
 * The reader, the merge of threads and the replay are those of wm-analyze,
 * compiled a second time; in place of its passes stands the one below.  Never
 * in wm-analyze itself.
 */
#include "wm/replayed.h"

#include <string.h>

#include "analyze/replay/merge.h"
#include "analyze/replay/pass.h"
#include "analyze/trace/reader.h"
#include "analyze/whole.h"

/* What there is instead of passes. */
struct total {
	const struct wm_trace *trace;
	struct wm_replayed *out;
	uint64_t live;
	uint64_t limit; /* ticks: the present bin ends there */
};

static uint64_t mono_ns(const struct wm_trace *t, uint64_t ticks)
{
	return t->start.mono_ns +
	       wm_whole(wm_trace_seconds(t, ticks) * 1e9);
}

/* The first tick that lies in bin number @bin or behind it. */
static uint64_t bin_ticks(const struct wm_trace *t, uint64_t bin,
			  uint32_t shift)
{
	uint64_t ns = bin << shift;

	return ns <= t->start.mono_ns ? t->start.ticks :
	       t->start.ticks + wm_trace_ticks(t, ns - t->start.mono_ns);
}

/* Bins as wide as they have to be for the time of the trace. */
static void curve_init(struct total *p)
{
	const struct wm_trace *t = p->trace;
	struct wm_curve *c = &p->out->curve;
	uint64_t from = t->start.mono_ns, to = mono_ns(t, t->end_ticks);

	memset(c, 0, sizeof(*c));
	while ((to >> c->shift) - (from >> c->shift) >= WM_CURVE_BINS)
		c->shift++;
	c->first = from >> c->shift;
	c->count = 1;
	p->limit = bin_ticks(t, c->first + 1, c->shift);
}

/* Close bins until the present one holds @ticks. */
static void curve_until(struct total *p, uint64_t ticks)
{
	struct wm_curve *c = &p->out->curve;

	while (ticks >= p->limit) {
		if (c->count == WM_CURVE_BINS)
			wm_curve_widen(c);
		c->bin[c->count - 1].end = p->live;
		/* of a widened curve the present bin may go on */
		p->limit = bin_ticks(p->trace, c->first + c->count, c->shift);
		if (ticks < p->limit)
			return;
		c->bin[c->count].max = p->live;
		c->bin[c->count].end = p->live;
		c->count++;
		p->limit = bin_ticks(p->trace, c->first + c->count, c->shift);
	}
}

/* Changes of the families that count for peaks, one by one: a peak is after a
 * gain (analyze/replay/pass.h). */
enum wm_status wm_passes_take(struct wm_passes *passes,
			      const struct wm_changes *c, struct wm_err *err)
{
	struct total *p = passes->state[0];
	struct wm_replayed *out = p->out;
	struct wm_curve *curve = &out->curve;
	size_t i;

	(void)err;
	for (i = 0; i < c->count; i++) {
		if (!wm_family_in_peak[c->family[i]])
			continue;
		if (c->time[i] >= p->limit)
			curve_until(p, c->time[i]);
		if (c->who[i] & WM_RELEASE) {
			p->live -= c->bytes[i];
			continue;
		}
		p->live += c->bytes[i];
		if (p->live > curve->bin[curve->count - 1].max)
			curve->bin[curve->count - 1].max = p->live;
		if (p->live > out->peak_bytes)
			out->peak_bytes = p->live;
	}
	return WM_OK;
}

void wm_passes_left(struct wm_passes *p, enum wm_family family, uint32_t path,
		    uint64_t bytes, uint64_t born)
{
	(void)p;
	(void)family;
	(void)path;
	(void)bytes;
	(void)born;
}

static enum wm_replay_result result_of(enum wm_status s)
{
	if (wm_replay_is_late())
		return WM_REPLAY_LATE;
	return s == WM_NO_MEMORY ? WM_REPLAY_SHORT : WM_REPLAY_BAD;
}

static enum wm_status replay(const struct wm_trace *t, struct wm_replayed *out)
{
	struct total total = { .trace = t, .out = out };
	struct wm_passes passes = { .state = { &total } };
	uint64_t bad = 0, progress = 0;
	struct wm_merge *m;
	struct wm_tally tally;
	enum wm_status s;

	curve_init(&total);
	s = wm_merge_open(&m, t, &passes, &tally, &bad, &progress, NULL);
	if (s)
		return s;
	while (!s)
		s = wm_replay_is_late() ? WM_IO : wm_merge_next(m, NULL);
	wm_merge_close(m);
	if (s != WM_END)
		return s;
	curve_until(&total, t->end_ticks);
	out->curve.bin[out->curve.count - 1].end = total.live;
	out->events = tally.records;
	return WM_OK;
}

enum wm_replay_result wm_replay_trace(const char *path,
				      struct wm_replayed *out)
{
	struct wm_trace t;
	uint64_t blocks;
	enum wm_status s;

	memset(out, 0, sizeof(*out));
	s = wm_trace_open_alone(&t, path, "", WM_ALL_BLOCKS, NULL, &blocks,
				NULL);
	if (s)
		return result_of(s);
	if (t.damage.text[0] || t.gaps)
		s = WM_BAD_INPUT;
	else
		s = replay(&t, out);
	wm_trace_release(&t);
	return s ? result_of(s) : WM_REPLAY_DONE;
}
