/* SPDX-License-Identifier: Apache-2.0 */
/* Findings of gates (--fail-on), on stderr and in JSON. */
#include "analyze/answers/gates/report_gates.h"

#include <inttypes.h>
#include <stdio.h>

#include "analyze/lib/base/units.h"

void wm_finding_put(const struct wm_gate *g, const struct wm_finding *v,
		    FILE *out)
{
	static const char *const what[] = {
		[WM_GATE_LEAKS] = "were never freed",
		[WM_GATE_HELD] = ("were held when it was killed, or its trace "
				  "ended early"),
		[WM_GATE_FAILED] = "could not be had, the largest request",
		[WM_GATE_PEAK] = "at the peak",
		[WM_GATE_GROWTH] = "more than before",
	};
	struct wm_figure bytes, over, most;
	char rank[40] = "";

	if (v->one_rank)
		snprintf(rank, sizeof(rank), " of rank %" PRIu64, v->rank);
	if (!v->bytes && v->handles) {
		fprintf(out, "%s handle%s of %s %s never freed; in %s",
			wm_count(&bytes, v->handles),
			v->handles == 1 ? "" : "s", v->whose,
			v->handles == 1 ? "was" : "were", v->holder);
		return;
	}
	fprintf(out, "%s %s%s", wm_bytes(&bytes, v->bytes), what[g->kind],
		rank);
	if (v->limit)
		fprintf(out, ", %s above the limit",
			wm_bytes(&over, v->bytes - v->limit));
	if (v->holder && g->kind == WM_GATE_FAILED)
		fprintf(out, "; in %s", v->holder);
	else if (v->holder)
		fprintf(out, "; most of it in %s: %s", v->holder,
			wm_bytes(&most, v->holder_bytes));
}

static void say_finding(const struct wm_gate *g, const struct wm_finding *v)
{
	fprintf(stderr, "wm-analyze: --fail-on %s: ", g->text);
	wm_finding_put(g, v, stderr);
	fputc('\n', stderr);
}

size_t wm_findings_say(const struct wm_findings *v)
{
	size_t i, met = 0;

	for (i = 0; v->gates && i < v->gates->count; i++) {
		if (!v->result[i].met)
			continue;
		say_finding(&v->gates->gate[i], &v->result[i]);
		met++;
	}
	return met;
}

void wm_findings_json(const struct wm_findings *v, struct wm_json *j)
{
	if (!v->gates || !v->gates->count)
		return;
	wm_json_array(j, "gates");
	for (size_t i = 0; i < v->gates->count; i++) {
		const struct wm_finding *w = &v->result[i];

		WM_JSON_ROW(j, NULL,
			    "gate met! handles bytes limit_bytes rank holder "
			    "holder_bytes",
			    v->gates->gate[i].text, w->met,
			    wm_known(v->gates->gate[i].kind == WM_GATE_LEAKS,
				     w->handles),
			    w->bytes, w->limit, wm_known(w->one_rank, w->rank),
			    w->holder, w->holder_bytes);
	}
	wm_json_end_array(j);
}
