/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An inlined call has one or several ranges, inside another call or a function.
 * Each range becomes a row, cut at the range around it, so that rows nest.
 * Where functions overlap (the linker folds identical functions), the first
 * counts.
 */
#include "wmcc/census/census_inlines.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "wm/search.h"

/* The most visited entries take some twenty seconds. */
#define VISITS 100000000u
/* Only damaged input nests more deeply. */
#define DEPTH 256
/* Only damaged input has more ranges in an entry. */
#define RANGES 65536

struct range {
	uint64_t start, end;
};

/* Indexes of open ranges, which are ascending and disjoint. */
struct span {
	size_t first, count;
};

struct found {
	uint64_t start, end;
	uint32_t depth; /* 0: a function's own range, 1: inlined in it, ... */
	uint32_t function; /* in order of appearance */
	uint32_t name, file, line;
};

static struct range *range_at(const struct wm_inlines *in, size_t i)
{
	return (struct range *)in->ranges.items + i;
}

static void push_range(struct wm_inlines *in, uint64_t start, uint64_t end)
{
	struct range *r;

	if (start >= end)
		return;
	r = wm_vec_add(&in->ranges);
	if (!r) {
		in->failed = true;
		return;
	}
	*r = (struct range){ start, end };
}

static int by_start(const void *pa, const void *pb)
{
	const struct range *a = pa, *b = pb;

	return WM_KEYS(WM_ORDER(a->start, b->start), WM_ORDER(a->end, b->end));
}

/* Sorts and merges the ranges that were pushed since @first. */
static struct span tidy_ranges(struct wm_inlines *in, size_t first)
{
	struct span s = { first, in->ranges.count - first };
	struct range *r;
	size_t i, n = 0;

	if (s.count < 2)
		return s;
	r = range_at(in, first);
	qsort(r, s.count, sizeof(*r), by_start);
	for (i = 1; i < s.count; i++) {
		if (r[i].start > r[n].end)
			r[++n] = r[i];
		else if (r[i].end > r[n].end)
			r[n].end = r[i].end;
	}
	s.count = n + 1;
	in->ranges.count = first + s.count;
	return s;
}

/* Returns the ranges that the debug information has for @die. */
static struct span stated_ranges(struct wm_inlines *in, Dwarf_Die *die)
{
	size_t first = in->ranges.count;
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;
	size_t i;

	for (i = 0; i < RANGES; i++) {
		offset = dwarf_ranges(die, offset, &base, &start, &end);
		if (offset <= 0)
			break;
		push_range(in, start, end);
	}
	return tidy_ranges(in, first);
}

/* A function that the linker threw away starts at 0 or 1, where there is no
 * code, but may extend to addresses with code. */
static struct span function_ranges(struct wm_inlines *in, Dwarf_Die *die)
{
	struct span s = stated_ranges(in, die);
	size_t i, n = 0;

	for (i = 0; i < s.count; i++)
		if (wm_image_code_at(in->twin,
				     range_at(in, s.first + i)->start))
			*range_at(in, s.first + n++) = *range_at(in,
								 s.first + i);
	in->ranges.count = s.first + n;
	s.count = n;
	return s;
}

/* Returns the parts of the ranges of @die that are in @outer. */
static struct span inner_ranges(struct wm_inlines *in, Dwarf_Die *die,
				struct span outer)
{
	size_t base = in->ranges.count, end, i, j;
	struct span s = stated_ranges(in, die);
	struct range a, b;

	end = in->ranges.count;
	for (i = outer.first, j = s.first;
	     i < outer.first + outer.count && j < end;) {
		a = *range_at(in, i);
		b = *range_at(in, j);
		push_range(in, a.start > b.start ? a.start : b.start,
			   a.end < b.end ? a.end : b.end);
		if (a.end < b.end)
			i++;
		else
			j++;
	}
	s.count = in->ranges.count - end;
	if (s.count)
		memmove(range_at(in, base), range_at(in, end),
			s.count * sizeof(struct range));
	in->ranges.count = base + s.count;
	return s;
}

static void add_rows(struct wm_inlines *in, struct span s,
		     const struct found *like)
{
	struct found *f;
	size_t i;

	for (i = 0; i < s.count; i++) {
		f = wm_vec_add(&in->found);
		if (!f) {
			in->failed = true;
			return;
		}
		*f = *like;
		f->start = range_at(in, s.first + i)->start;
		f->end = range_at(in, s.first + i)->end;
	}
}

/* Stores the called function and the place of the call, but no range. */
static void describe_call(struct wm_inlines *in, Dwarf_Die *die,
			  struct found *f)
{
	Dwarf_Attribute attr;
	Dwarf_Word line;
	Dwarf_Die origin;

	if (dwarf_attr(die, DW_AT_abstract_origin, &attr) &&
	    dwarf_formref_die(&attr, &origin))
		f->name = wm_names_function(&in->names, &origin);
	if (dwarf_attr(die, DW_AT_call_file, &attr))
		f->file = wm_names_file(&in->names, &attr);
	if (f->file && dwarf_attr(die, DW_AT_call_line, &attr) &&
	    !dwarf_formudata(&attr, &line) && line <= UINT32_MAX)
		f->line = (uint32_t)line;
}

static void take_children(struct wm_inlines *in, Dwarf_Die *parent,
			  struct span outer, struct found *context,
			  size_t depth);

static void take_function(struct wm_inlines *in, Dwarf_Die *die, size_t depth)
{
	size_t base = in->ranges.count, before = in->found.count;
	struct found f = { .function = ++in->functions };
	struct span s = function_ranges(in, die);

	add_rows(in, s, &f);
	take_children(in, die, s, &f, depth + 1);
	/* no call is inlined in this function */
	if (in->found.count == before + s.count)
		in->found.count = before;
	in->ranges.count = base;
}

static void take_inlined(struct wm_inlines *in, Dwarf_Die *die,
			 struct span outer, const struct found *context,
			 size_t depth)
{
	struct found f = { .function = context->function,
			   .depth = context->depth + 1 };
	size_t base = in->ranges.count;
	struct span s = inner_ranges(in, die, outer);

	if (s.count) {
		describe_call(in, die, &f);
		add_rows(in, s, &f);
		take_children(in, die, s, &f, depth + 1);
	}
	in->ranges.count = base;
}

static void take_children(struct wm_inlines *in, Dwarf_Die *parent,
			  struct span outer, struct found *context,
			  size_t depth)
{
	Dwarf_Die die;
	int status;

	if (depth > DEPTH)
		return;
	for (status = dwarf_child(parent, &die);
	     !status && in->visits && !in->failed;
	     status = dwarf_siblingof(&die, &die)) {
		in->visits--;
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			if (dwarf_haschildren(&die) > 0)
				take_function(in, &die, depth);
			break;
		case DW_TAG_inlined_subroutine:
			take_inlined(in, &die, outer, context, depth);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_lexical_block:
			take_children(in, &die, outer, context, depth + 1);
			break;
		}
	}
}

void wm_inlines_init(struct wm_inlines *in, struct wm_census_model *model,
		     const struct wm_image *twin)
{
	*in = (struct wm_inlines){ .model = model,
				   .twin = twin,
				   .ranges = WM_VEC(struct range),
				   .found = WM_VEC(struct found),
				   .visits = VISITS };
	wm_names_init(&in->names, &model->strings, &in->visits);
}

void wm_inlines_release(struct wm_inlines *in)
{
	wm_names_release(&in->names);
	wm_vec_release(&in->ranges);
	wm_vec_release(&in->found);
}

void wm_inlines_take(struct wm_inlines *in, Dwarf_Die *die)
{
	static const struct span nothing;
	struct found context = { 0 };
	Dwarf_Die split;
	uint8_t type;

	in->names.folder = wm_dwarf_folder(die);
	if (!dwarf_cu_info(die->cu, NULL, &type, NULL, &split, NULL, NULL,
			   NULL) &&
	    type == DW_UT_skeleton && split.addr)
		die = &split;
	take_children(in, die, nothing, &context, 0);
}

/* Orders outer calls before inner ones. */
static int by_nesting(const void *pa, const void *pb)
{
	const struct found *a = pa, *b = pb;

	return WM_KEYS(WM_ORDER(a->start, b->start), WM_ORDER(b->end, a->end),
		       WM_ORDER(a->function, b->function),
		       WM_ORDER(a->depth, b->depth));
}

int wm_inlines_finish(struct wm_inlines *in)
{
	struct found *f = in->found.items, *open[DEPTH + 2];
	struct wm_model_inline *row;
	size_t i, n = 0;

	if (in->failed || in->names.failed)
		return -1;
	wm_vec_sort(&in->found, by_nesting);
	for (i = 0; i < in->found.count; i++) {
		while (n && open[n - 1]->end <= f[i].start)
			n--;
		/* the range overlaps its neighbour, or is of another
		 * function */
		if (f[i].depth != n ||
		    (n && (open[n - 1]->end < f[i].end ||
			   open[n - 1]->function != f[i].function)))
			continue;
		open[n++] = &f[i];
		if (!f[i].depth)
			continue;
		row = wm_vec_add(&in->model->inlines);
		if (!row)
			return -1;
		*row = (struct wm_model_inline){ f[i].start,
						 f[i].end - f[i].start,
						 f[i].name, f[i].file,
						 f[i].line };
	}
	return 0;
}
