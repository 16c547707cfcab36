/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/gates/gate.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/units.h"
#include "analyze/lib/base/whole.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/need/failed_requests.h"
#include "analyze/answers/heap/functions.h"
#include "analyze/answers/leaks/handles.h"
#include "analyze/answers/heap/forwarders.h"
#include "analyze/symbols/site.h"

static const char *const kind_names[] = { [WM_GATE_LEAKS] = "leaks",
					  [WM_GATE_HELD] = "held",
					  [WM_GATE_FAILED] = "failed",
					  [WM_GATE_PEAK] = "peak",
					  [WM_GATE_GROWTH] = "growth" };

/* "5%", "2.5%" */
static bool parse_percent(const char *text, double *percent)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	*percent = strtod(text, &end);
	return strcmp(end, "%") == 0 && *percent < 1e9;
}

/* Parses a size.  @size is NULL if the gate has no "=". */
static bool parse_size(struct wm_gate *g, const char *size)
{
	if (!size)
		return g->kind < WM_GATE_PEAK;
	if (wm_parse_bytes(size, &g->bytes))
		return true;
	g->is_percent = g->kind == WM_GATE_GROWTH;
	return g->is_percent && parse_percent(size, &g->percent);
}

static enum wm_status parse_gate(struct wm_gate *g, struct wm_err *err)
{
	const char *equals = strchr(g->text, '=');
	size_t len = equals ? (size_t)(equals - g->text) : strlen(g->text);
	enum wm_gate_kind k;

	for (k = WM_GATE_LEAKS; k <= WM_GATE_GROWTH; k++) {
		if (strlen(kind_names[k]) != len ||
		    strncmp(kind_names[k], g->text, len) != 0)
			continue;
		g->kind = k;
		if (parse_size(g, equals ? equals + 1 : NULL))
			return WM_OK;
		return wm_err_set(err, WM_USAGE,
				  "--fail-on %s: not %s=%s such as 512M or "
				  "1.5G%s",
				  g->text, kind_names[k],
				  k == WM_GATE_GROWTH ? "SIZE|N%" : "SIZE",
				  k == WM_GATE_GROWTH ? " or 10%" : "");
	}
	return wm_err_set(
		err, WM_USAGE,
		"--fail-on %s: not leaks, leaks=SIZE, "
		"held, held=SIZE, failed, failed=SIZE, peak=SIZE, growth=SIZE or growth=N%%",
		g->text);
}

enum wm_status wm_gates_parse(struct wm_gates *g, const char *text,
			      struct wm_err *err)
{
	enum wm_status s = WM_OK;

	while (!s) {
		size_t len = strcspn(text, ",");
		struct wm_gate *gate = &g->gate[g->count];

		if (g->count == WM_GATES_MAX)
			return wm_err_set(err, WM_USAGE,
					  "--fail-on: more than "
					  "%d limits",
					  WM_GATES_MAX);
		if (len >= sizeof(gate->text))
			return wm_err_set(err, WM_USAGE,
					  "--fail-on %.60s...: "
					  "too long",
					  text);
		memset(gate, 0, sizeof(*gate));
		memcpy(gate->text, text, len);
		s = parse_gate(gate, err);
		g->count++;
		if (!text[len])
			break;
		text += len + 1;
	}
	return s;
}

bool wm_gates_need_two(const struct wm_gates *g)
{
	for (size_t i = 0; i < g->count; i++)
		if (g->gate[i].kind == WM_GATE_GROWTH)
			return true;
	return false;
}

unsigned wm_gates_need(const struct wm_gates *g)
{
	unsigned needs = 0;

	for (size_t i = 0; i < g->count; i++)
		if (g->gate[i].kind == WM_GATE_LEAKS ||
		    g->gate[i].kind == WM_GATE_HELD)
			needs |= WM_NEEDS(lifetime);
	return needs;
}

unsigned wm_gates_keep(const struct wm_gates *g)
{
	unsigned retains = 0;

	for (size_t i = 0; i < g->count; i++) {
		if (g->gate[i].kind == WM_GATE_PEAK)
			retains |= WM_RETAINS(max);
		if (g->gate[i].kind == WM_GATE_LEAKS ||
		    g->gate[i].kind == WM_GATE_HELD)
			retains |= WM_RETAINS(all);
	}
	return retains;
}

static enum wm_status set_holder(struct wm_finding *v, const char *name,
				 uint64_t bytes, struct wm_err *err)
{
	v->holder = strdup(name);
	v->holder_bytes = bytes;
	return v->holder ? WM_OK : wm_no_memory(err, NULL);
}

/* Adds up in @f the memory that all ranks together should have freed and never
 * did or, with @held, that they held when their traces ended.  Memory that
 * runtimes keep does not count (analyze/answers/leaks/runtime_retained.h).  @v
 * gets the number of handles. */
static enum wm_status program_end(struct wm_functions *f, bool held,
				  const struct wm_analysis *a,
				  struct wm_finding *v, struct wm_err *err)
{
	const struct wm_use *all = a->retained[WM_RETAINED_all].use;
	struct wm_use *use = calloc(a->paths.path_count + 1, sizeof(*use));
	struct wm_handles handles = { .count = 0 };
	enum wm_status s;

	if (!use)
		return wm_no_memory(err, NULL);
	s = a->sum.lifetime ? wm_handles_find(&handles, a, all, a->sum.lifetime,
					      a->sum.lifetime_count, err) :
			      wm_handles_find(&handles, a, all, a->lifetime,
					      a->lifetime_count, err);
	for (size_t i = 0; i < a->paths.path_count && !s; i++) {
		if ((!all[i].end_blocks && !handles.of_path[i]) ||
		    wm_handles_group(&handles, a, (uint32_t)i) != WM_GROUP_none)
			continue;
		use[i].peak_bytes = all[i].held_bytes;
		use[i].peak_blocks = all[i].held_blocks;
		if (held)
			continue;
		use[i].peak_bytes = wm_handles_bytes(&handles, all, i);
		use[i].peak_blocks = wm_handles_blocks(&handles, all, i);
	}
	if (!s)
		s = wm_functions_of(f, a, use, err);
	free(use);
	if (!s) {
		s = wm_forwarders_apply(f, a, err);
		if (!s)
			s = wm_handles_apply(&handles, f, a, err);
		if (s)
			wm_functions_release(f);
	}
	v->handles = held ? 0 : wm_handles_count(&handles, &v->whose);
	wm_handles_release(&handles);
	return s;
}

static enum wm_status judge_functions(struct wm_finding *v,
				      const struct wm_gate *g,
				      const struct wm_analysis *a,
				      struct wm_err *err)
{
	bool end = g->kind == WM_GATE_LEAKS || g->kind == WM_GATE_HELD;
	struct wm_functions f;
	enum wm_status s;

	s = end ? program_end(&f, g->kind == WM_GATE_HELD, a, v, err) :
		  wm_functions_of(&f, a, a->retained[WM_RETAINED_max].use, err);
	if (s)
		return s;
	if (!end)
		s = wm_forwarders_apply(&f, a, err);
	if (s) {
		wm_functions_release(&f);
		return s;
	}
	v->limit = g->bytes;
	v->bytes = f.bytes;
	if (!end) {
		v->bytes = a->ranks[a->max].in[WM_HOST].peak_bytes;
		v->one_rank = true;
		v->rank = a->ranks[a->max].rank;
	}
	v->met = v->bytes > v->limit || (v->handles && !v->limit);
	if (f.count)
		s = set_holder(v, f.function[0].name, f.function[0].bytes, err);
	wm_functions_release(&f);
	return s;
}

/* Finds the largest request of the program that failed, in any rank. */
static enum wm_status judge_failed(struct wm_finding *v,
				   const struct wm_gate *g,
				   const struct wm_analysis *a,
				   struct wm_err *err)
{
	const struct wm_failed *most = NULL, *f;
	struct wm_frame site;

	v->limit = g->bytes;
	for (size_t i = 0; i < a->rank_count; i++) {
		f = wm_failed_largest(a, i, UINT64_MAX);
		if (!f || (most && f->bytes <= most->bytes))
			continue;
		most = f;
		v->rank = a->ranks[i].rank;
	}
	if (!most)
		return WM_OK;
	v->one_rank = true;
	v->bytes = most->bytes;
	v->met = v->bytes > v->limit || !v->limit;
	site = wm_site_find(a->symbols, &a->paths, most->path);
	return site.symbol ? set_holder(v, site.symbol->name, v->bytes, err) :
			     WM_OK;
}

enum wm_status wm_gates_judge(struct wm_findings *v, const struct wm_gates *g,
			      const struct wm_analysis *a, struct wm_err *err)
{
	enum wm_status s = WM_OK;

	v->gates = g;
	for (size_t i = 0; i < g->count && !s; i++)
		if (g->gate[i].kind == WM_GATE_FAILED)
			s = judge_failed(&v->result[i], &g->gate[i], a, err);
		else if (g->gate[i].kind != WM_GATE_GROWTH)
			s = judge_functions(&v->result[i], &g->gate[i], a, err);
	return s;
}

enum wm_status wm_gates_grown(struct wm_findings *v, const struct wm_gates *g,
			      uint64_t a, uint64_t b, const char *holder,
			      uint64_t holder_bytes, struct wm_err *err)
{
	enum wm_status s = WM_OK;

	v->gates = g;
	for (size_t i = 0; i < g->count && !s; i++) {
		const struct wm_gate *gate = &g->gate[i];
		struct wm_finding *to = &v->result[i];

		if (gate->kind != WM_GATE_GROWTH)
			continue;
		to->bytes = b > a ? b - a : 0;
		to->limit = gate->is_percent ?
				    wm_whole((double)a * gate->percent / 100) :
				    gate->bytes;
		to->met = to->bytes > to->limit;
		if (holder)
			s = set_holder(to, holder, holder_bytes, err);
	}
	return s;
}

void wm_findings_release(struct wm_findings *v)
{
	for (size_t i = 0; i < WM_GATES_MAX; i++)
		free(v->result[i].holder);
	memset(v, 0, sizeof(*v));
}
