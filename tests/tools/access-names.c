/* SPDX-License-Identifier: Apache-2.0 */
/*
 * access-names TRACE [--table]
 *
 * Loads and stores of the first thread, one a line, by what they touch, in their
 * order: L FUNCTION TEXT for local variables, with "?" for one that is not known
 * in a known frame, and G TEXT for static ones; others are left out.
 * --table: what pass accesses makes of them: accesses, and the text of each cell
 * of a local variable.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyze/access/local_names.h"
#include "analyze/access/resolve.h"
#include "analyze/symbols/elements.h"
#include "analyze/lib/trace/read_accesses.h"
#include "wm/access_format.h"

static struct wm_elements *elements;
static struct wm_local_names names;
static struct wm_frames frames;
static uint64_t bias;

static void tell_text(const struct wm_elements_variable *v, uint64_t offset,
		      uint64_t bytes)
{
	struct wm_spread s = { offset, offset, 0, bytes };
	struct wm_element_text text;

	wm_elements_text(elements, v, &s, &text);
	puts(text.text);
}

static void tell_local(const struct wm_live_frame *f, const struct wm_access *a,
		       uint64_t pc)
{
	const struct wm_local *l = wm_local_names_find(&names, f, a->addr, pc);
	const struct wm_elements_variable *v;
	Dwarf_Die die = f->function->die;

	printf("L %s ", dwarf_diename(&die));
	v = l ? wm_elements_local(elements, f->pc - bias, l->place) : NULL;
	if (v && !strcmp(v->name, l->name))
		tell_text(v, a->addr - f->cfa - (uint64_t)l->place, a->bytes);
	else
		puts(l ? l->name : "?");
}

static void tell(const struct wm_spot *spot, const struct wm_access *a)
{
	const struct wm_elements_variable *v;
	const struct wm_live_frame *f;

	if (spot->kind == WMA_FRAME) {
		wm_frames_enter(&frames, wm_local_names_frame(&names, spot->pc),
				spot->pc, a->addr, a->bytes);
		return;
	}
	f = wm_frames_find(&frames, a->addr);
	if (f) {
		tell_local(f, a, spot->pc);
		return;
	}
	v = wm_elements_find(elements, a->addr - bias, false);
	if (v) {
		printf("G ");
		tell_text(v, a->addr - bias - v->address, a->bytes);
	}
}

static void tell_cell(const struct wm_access_table *t,
		      const struct wm_access_cell *c)
{
	const struct wm_access_variable *x = &t->variable[c->variable];
	const struct wm_elements_variable *v;

	if (x->where != WM_WHERE_LOCAL)
		return;
	printf("%" PRIu64 " ", c->accesses);
	v = x->name ? wm_elements_local(elements, x->offset, x->place) : NULL;
	if (v) {
		struct wm_spread s = { c->lowest, c->highest, c->step,
				       c->bytes / c->accesses };
		struct wm_element_text text;

		wm_elements_text(elements, v, &s, &text);
		puts(text.text);
	} else {
		puts(x->name ? x->name : "?");
	}
}

static void tell_table(const struct wm_trace *t, struct wm_accesses *in)
{
	static struct wm_access batch[1024];
	static uint32_t cell[1024];
	static uint64_t base[1024];
	struct wm_access_batch b = { .access = batch,
				     .cell = cell,
				     .base = base };
	struct wm_resolver r;
	struct wm_err err;

	if (wm_resolver_init(&r, t, &err))
		return;
	while (!wm_accesses_next(in, batch, 1024, &b.count, &err)) {
		b.spot = in->tokens.spot;
		b.spots = in->tokens.spots;
		b.resets = in->tokens.resets;
		b.gaps = in->tokens.gaps;
		if (b.count && wm_resolver_batch(&r, &b, &err))
			fprintf(stderr, "%s\n", err.text);
	}
	for (size_t i = 1; i < r.table.cells; i++)
		tell_cell(&r.table, &r.table.cell[i]);
	wm_resolver_release(&r);
}

int main(int argc, char **argv)
{
	static struct wm_access batch[1024];
	const struct wm_module *exe = NULL;
	struct wm_trace t;
	struct wm_accesses in;
	struct wm_err err;
	uint64_t gaps = 0;
	size_t n;

	if (argc < 2)
		return 2;
	if (wm_trace_open(&t, argv[1], argv[1], WM_ALL_BLOCKS, NULL, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	for (size_t i = 0; i < t.paths.map_count; i++)
		if (t.paths.modules[t.paths.map[i].module].main) {
			exe = &t.paths.modules[t.paths.map[i].module];
			bias = t.paths.map[i].bias;
		}
	if (!exe || wm_elements_open(&elements, exe, &err)) {
		fprintf(stderr, "%s\n", exe ? err.text : "no executable");
		return 1;
	}
	names.paths = &t.paths;
	wm_accesses_open(&in, &t, 0);
	if (argc > 2)
		tell_table(&t, &in);
	while (!wm_accesses_next(&in, batch, 1024, &n, &err)) {
		if (in.tokens.gaps != gaps)
			frames.count = 0;
		gaps = in.tokens.gaps;
		for (size_t i = 0; i < n; i++)
			tell(&in.tokens.spot[batch[i].spot], &batch[i]);
	}
	wm_accesses_release(&in);
	wm_frames_release(&frames);
	wm_local_names_release(&names);
	wm_elements_free(elements);
	wm_trace_release(&t);
	return 0;
}
