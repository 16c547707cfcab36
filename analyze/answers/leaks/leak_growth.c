/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/leaks/leak_growth.h"

#include <stdio.h>

const char *wm_leak_growth_word(enum wm_trend trend)
{
	return trend == WM_TREND_GROWS	? "grows" :
	       trend > WM_TREND_STOPPED ? "unknown" :
	       trend			? "stopped" :
					  "once";
}

struct wm_leak_growth wm_leak_growth_of(const struct wm_functions *f,
					const uint8_t *trend,
					const struct wm_analysis *a)
{
	struct wm_leak_growth g = { .most = WM_TREND_ONCE };

	for (size_t i = 0; i < f->held_count; i++) {
		const struct wm_held *h = &f->held[i];
		enum wm_trend of = (enum wm_trend)trend[h->path];

		g.bytes[of] += h->bytes;
		g.any[of] = true;
		g.most = of > g.most ? of : g.most;
		if (h->path < a->lifetime_count &&
		    a->lifetime[h->path].last > g.last[of])
			g.last[of] = a->lifetime[h->path].last;
	}
	return g;
}

/* Returns "; the other 2 KiB do not" if that is known, or "". */
#define OTHER_TEXT 80
static const char *other_of(const struct wm_leak_growth *g,
			    char buf[OTHER_TEXT])
{
	struct wm_figure b;

	buf[0] = 0;
	if (g->bytes[WM_TREND_ONCE])
		snprintf(buf, OTHER_TEXT, "; the other %s do not",
			 wm_bytes(&b, g->bytes[WM_TREND_ONCE]));
	return buf;
}

static void put_growing(const struct wm_leak_growth *g, uint64_t all,
			struct wm_doc *d)
{
	uint64_t grows = g->bytes[WM_TREND_GROWS];
	uint64_t stopped = g->bytes[WM_TREND_STOPPED];
	char other[OTHER_TEXT];
	struct wm_figure b, c;

	if (g->most == WM_TREND_GROWS && !grows)
		wm_doc_print(d,
			     "  Handles of it grow: they were made again and "
			     "again while the program ran.\n");
	else if (grows && grows == all)
		wm_doc_print(d, "  All of it grows: it was allocated again and "
				"again while the program ran.\n");
	else if (grows)
		wm_doc_print(d,
			     "  %s of it grow: allocated again and again while "
			     "the program ran%s.\n",
			     wm_bytes(&b, grows), other_of(g, other));
	else if (g->most <= WM_TREND_STOPPED && !stopped)
		wm_doc_print(d, "  None of it grows: no call path went on "
				"leaving blocks while the program ran.\n");
	if (stopped)
		wm_doc_print(d,
			     "  %s of it came again and again until %s, and "
			     "none after that.\n",
			     wm_bytes(&b, stopped),
			     wm_seconds(&c, g->last[WM_TREND_STOPPED]));
}

#define WHY_TEXT 160
static const char *why_unknown(const struct wm_leak_growth *g,
			       enum wm_trend trend, char buf[WHY_TEXT])
{
	struct wm_figure b;

	if (trend == WM_TREND_BRIEF)
		return "the program's part of the run was shorter than 100 ms";
	if (trend == WM_TREND_CALLS)
		return "it came from several calls whose source lines are not "
		       "known (-g)";
	if (trend == WM_TREND_LATE_BLOCKS)
		return "it came in the last quarter of the run";
	snprintf(buf, WHY_TEXT,
		 "it came again and again until %s, and no more until the end",
		 wm_seconds(&b, g->last[trend]));
	return buf;
}

static void put_unknown(const struct wm_leak_growth *g, uint64_t all,
			struct wm_doc *d)
{
	char why[WHY_TEXT], other[OTHER_TEXT];
	const char *rest = g->bytes[WM_TREND_GROWS] ? "" : other_of(g, other);
	struct wm_figure b;

	for (int i = WM_TREND_GROWS - 1; i > WM_TREND_STOPPED; i--) {
		if (!g->any[i])
			continue;
		wm_doc_print(d, "  Whether %s%s is not known: %s%s.\n",
			     g->bytes[i] == all ? "it" :
			     g->bytes[i]	? wm_bytes(&b, g->bytes[i]) :
						  "handles",
			     g->bytes[i] == all ? " grows" : " of it grow",
			     why_unknown(g, (enum wm_trend)i, why), rest);
		rest = "";
	}
}

void wm_leak_growth_print(const struct wm_leak_growth *g, uint64_t all,
			  struct wm_doc *d)
{
	put_growing(g, all, d);
	put_unknown(g, all, d);
}
