/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeline taken apart, against a plain simulation: traces that are longer
 * than they said, so that bins are joined, several times.
 */
#include "analyze/passes/series.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/trace/reader.h"
#include "tests/unit/random.h"
#include "tests/unit/tap.h"

#define KEYS 40
#define STEPS 6000

static struct step {
	uint64_t time, bytes;
	unsigned key;
	int gone;
} step[STEPS];

static void make_steps(uint64_t start, uint64_t end)
{
	uint64_t live[KEYS] = { 0 }, now = start;
	int i;

	for (i = 0; i < STEPS; i++) {
		struct step *s = &step[i];

		now += below(4) ? below(2000) : below(20) * 1000;
		/* a few stamps go back */
		s->time = below(50) ? now : now - below(now - start + 1) / 16;
		s->key = (unsigned)(below(KEYS) * below(KEYS) / KEYS);
		s->gone = live[s->key] && below(2);
		s->bytes = s->gone ? below(live[s->key]) + 1 : below(1000) + 1;
		live[s->key] += s->gone ? -s->bytes : s->bytes;
	}
	for (i = 0; i < STEPS; i++)
		step[i].time = start + (step[i].time - start) * (end - start) /
					       (now - start + 1);
}

/* The values of all keys at the maximum of the bin. */
struct top {
	uint64_t max, key[KEYS];
};

static struct top *simulate(uint64_t start, uint64_t width, size_t bins)
{
	struct top *t = calloc(bins, sizeof(*t)), now = { 0 };
	size_t bin = 0, i = 0;

	for (bin = 0; t && bin < bins; bin++) {
		t[bin] = now;
		for (; i < STEPS && step[i].time < start + (bin + 1) * width;
		     i++) {
			const struct step *s = &step[i];

			now.max += s->gone ? -s->bytes : s->bytes;
			now.key[s->key] += s->gone ? -s->bytes : s->bytes;
			if (now.max > t[bin].max)
				t[bin] = now;
		}
	}
	return t;
}

/* How many values differ; *@joined: how often bins were joined. */
static int compare(uint64_t said, uint64_t end, unsigned *joined)
{
	struct wm_trace t = { .start = { .ticks = 5000 },
			      .end_ticks = 5000 + said };
	static struct wm_series_builder b;
	struct wm_series out = { .count = 0 };
	uint64_t now[KEYS] = { 0 }, width = said / WM_BINS + 1;
	struct wm_err err;
	struct top *want;
	size_t i, bin, next = 0;
	int bad = 0;

	memset(&b, 0, sizeof(b));
	make_steps(5000, 5000 + end);
	bad += wm_series_builder_init(&b, &t, KEYS, &err) != WM_OK;
	for (i = 0; i < STEPS && !bad; i++)
		bad += wm_series_builder_add(&b, step[i].key, step[i].bytes,
					     step[i].gone, step[i].time,
					     &err) != WM_OK;
	bad += wm_series_builder_finish(&b, &t, &out, &err) != WM_OK;
	for (*joined = 0; width < b.bins.width; width *= 2)
		++*joined;
	want = simulate(5000, b.bins.width, b.bins.at + 1);
	for (bin = 0; want && bin <= b.bins.at && !bad; bin++) {
		bad += b.bins.bin[bin].max != want[bin].max;
		for (; next < out.count && out.step[next].bin == bin; next++)
			now[out.step[next].key] = out.step[next].bytes;
		bad += memcmp(now, want[bin].key, sizeof(now)) != 0;
	}
	bad += next != out.count || !want;
	free(want);
	free(out.step);
	wm_series_builder_release(&b);
	return bad;
}

int main(void)
{
	unsigned joined;
	int i, bad = 0;

	tap_plan(5);
	for (i = 0; i < 20; i++)
		bad += compare(1000000, 999000, &joined);
	ok(!bad && !joined, "as long as it was said to be");
	for (i = 0; i < 20; i++)
		bad += compare(1000000, 1300000, &joined);
	ok(!bad && joined == 1, "a little longer");
	for (i = 0; i < 20; i++)
		bad += compare(10000, 300000, &joined);
	ok(!bad && joined == 5, "thirty times as long");
	bad += compare(0, 20000000, &joined);
	ok(!bad && joined > 10, "nothing was said");
	bad += compare(1000000, 10, &joined);
	ok(!bad, "it ends early");
	return tap_done();
}
