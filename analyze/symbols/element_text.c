/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/symbols/element_text.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/plain.h"
#include "analyze/access/types.h"

/* Accesses that are not in the text yet; `at` counts from the start of
 * `type`. */
struct rest {
	struct wm_element_text *out;
	struct wm_types types;
	Dwarf_Die type;
	uint64_t base;
	struct wm_spread at;
	bool fortran;
};

void wm_element_put(struct wm_element_text *out, const char *fmt, ...)
{
	size_t length = strlen(out->text), room = sizeof(out->text) - length;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(out->text + length, room, fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= room)
		out->flags |= WM_ELEMENT_CUT;
}

/* Debug information may contain any bytes, so the name is made printable. */
static void put_name(struct wm_element_text *out, const char *name)
{
	char *plain = wm_plain(name, strlen(name));

	wm_element_put(out, "%s", plain ? plain : "?");
	free(plain);
}

static bool is_fortran(Dwarf_Die *type)
{
	Dwarf_Die unit;

	if (!dwarf_diecu(type, &unit, NULL, NULL))
		return false;
	switch (dwarf_srclang(&unit)) {
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
		return true;
	default:
		return false;
	}
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

struct index {
	bool several, range;
	int64_t from, to;
};

/* Finds the elements of @stride bytes that r->at touches, and makes r->at
 * relative to one.  Returns false if one access touches several elements. */
static bool split(struct rest *r, uint64_t stride, struct index *x)
{
	struct wm_spread *at = &r->at;
	uint64_t i = at->first / stride, k = at->last / stride, inner;

	if (at->first % stride + at->bytes > stride ||
	    at->last % stride + at->bytes > stride) {
		x->several = at->stride != 0;
		x->range = true;
		x->from = (int64_t)i;
		x->to = (int64_t)((at->first + at->bytes - 1) / stride);
		return false;
	}
	x->from = x->to = (int64_t)i;
	x->several = i != k;
	at->first %= stride;
	at->last %= stride;
	if (!x->several)
		return true;
	at->stride = common_divisor(at->stride, stride);
	if (at->stride == stride) {
		at->stride = 0;
		at->last = at->first;
		return true;
	}
	/* in any element, any of these places may be touched */
	inner = at->first % at->stride;
	at->first = inner;
	at->last = stride < inner + at->bytes ?
			   inner :
			   stride - at->bytes -
				   (stride - at->bytes - inner) % at->stride;
	return true;
}

static void put_index(struct rest *r, const struct index *x,
		      const struct wm_dimension *d, bool fortran)
{
	int64_t from = (int64_t)((uint64_t)x->from + (uint64_t)d->lower);
	int64_t to = (int64_t)((uint64_t)x->to + (uint64_t)d->lower);

	if (x->several)
		wm_element_put(r->out, "%s", fortran ? ":" : "");
	else if (x->range)
		wm_element_put(r->out,
			       fortran ? "%" PRId64 ":%" PRId64 :
					 "%" PRId64 "..%" PRId64,
			       from, to);
	else
		wm_element_put(r->out, "%" PRId64, from);
	if (x->several)
		r->out->flags |= WM_ELEMENT_SEVERAL;
}

/* Returns false when the text is complete. */
static bool append_array(struct rest *r, const struct wm_array *a)
{
	struct index x[WM_TYPES_RANK] = { { 0 } };
	bool one = true;

	for (size_t i = 0; i < a->rank; i++) {
		size_t k = a->column_major ? a->rank - 1 - i : i;

		if (one && a->dim[k].stride)
			one = split(r, a->dim[k].stride, &x[k]);
		else
			x[k].several = true;
	}
	if (r->fortran) {
		for (size_t i = 0; i < a->rank; i++) {
			wm_element_put(r->out, "%s", i ? "," : "(");
			put_index(r, &x[i], &a->dim[i], true);
		}
		wm_element_put(r->out, ")");
	} else {
		for (size_t i = 0; i < a->rank; i++) {
			wm_element_put(r->out, "[");
			put_index(r, &x[i], &a->dim[i], false);
			wm_element_put(r->out, "]");
			if (x[i].range)
				break;
		}
	}
	r->type = a->element;
	return one;
}

struct found {
	struct wm_part part; /* contains all accesses */
	unsigned whole; /* number of parts that contain all accesses */
	unsigned touched, bits; /* parts; bit fields among them */
	struct wm_part open; /* the array without a length at the end */
	bool has_open;
	char fields[128];
};

static void look_at(struct found *f, const struct wm_part *p,
		    const struct wm_spread *at)
{
	uint64_t end = at->last + at->bytes, part_end = p->offset + p->bytes;
	size_t n = strlen(f->fields);

	if (!p->bytes && p->typed && p->offset <= at->first &&
	    dwarf_tag((Dwarf_Die[]){ p->type }) == DW_TAG_array_type) {
		f->open = *p;
		f->has_open = true;
	}
	if (!p->bytes || p->offset >= end || part_end <= at->first)
		return;
	f->touched++;
	if (p->bits) {
		f->bits++;
		snprintf(f->fields + n, sizeof(f->fields) - n, "%s%s",
			 n ? "," : "", p->name ? p->name : "");
	}
	if ((p->offset <= at->first && end <= part_end) ||
	    (p->bits && f->touched == 1)) {
		/* an empty base class may be at the same place */
		if (!f->whole || p->offset > f->part.offset)
			f->part = *p;
		f->whole++;
	}
}

static void append_fields(struct rest *r, const struct found *f)
{
	wm_element_put(r->out, f->touched > 1 ? ".{" : ".");
	put_name(r->out, f->fields);
	wm_element_put(r->out, "%s", f->touched > 1 ? "}" : "");
	if (f->touched > 1)
		r->out->flags |= WM_ELEMENT_SEVERAL;
}

static void append_rest(struct rest *r)
{
	if (r->at.stride)
		r->out->flags |= WM_ELEMENT_SEVERAL;
	else if (r->at.first)
		wm_element_put(r->out, "+%" PRIu64, r->at.first);
}

static bool append_member(struct rest *r, struct wm_type_parts *parts)
{
	struct found f = { .whole = 0 };
	struct wm_part part;
	bool common = parts->common, is_union = parts->is_union;
	bool all = !r->at.first && !r->at.stride &&
		   r->at.bytes == wm_types_bytes(&r->types, &r->type);

	while (wm_types_next_part(parts, &part))
		look_at(&f, &part, &r->at);
	if (f.bits && f.bits == f.touched) {
		append_fields(r, &f);
		return false;
	}
	if (!f.touched && f.has_open) {
		f.part = f.open;
		f.whole = 1;
	}
	if (!f.whole) {
		/* the accesses are to padding, or to several members at once */
		append_rest(r);
		if (f.touched > 1 && !all)
			r->out->flags |= WM_ELEMENT_SEVERAL;
		return false;
	}
	if (f.whole > 1 && is_union)
		r->out->flags |= WM_ELEMENT_UNION;
	if (f.part.name) {
		wm_element_put(r->out, "%s",
			       common	  ? "" :
			       r->fortran ? "%" :
					    ".");
		put_name(r->out, f.part.name);
	}
	r->type = f.part.type;
	r->at.first -= f.part.offset;
	r->at.last -= f.part.offset;
	return f.part.typed;
}

static void append_scalar(struct rest *r, uint64_t bytes)
{
	int64_t encoding = 0;
	int tag = dwarf_tag(&r->type);
	uint64_t first = r->at.first;

	wm_types_number(&r->type, DW_AT_encoding, &encoding);
	if (tag == DW_TAG_string_type && !r->at.stride &&
	    (!bytes || r->at.bytes < bytes))
		wm_element_put(r->out, "(%" PRIu64 ":%" PRIu64 ")", first + 1,
			       first + r->at.bytes);
	else if (r->fortran && encoding == DW_ATE_complex_float &&
		 !r->at.stride && 2 * r->at.bytes == bytes)
		wm_element_put(r->out, "%s", first ? "%im" : "%re");
	else
		append_rest(r);
}

static bool is_all(const struct rest *r, uint64_t bytes, uint64_t count)
{
	return !r->at.first && !r->at.stride && r->at.bytes == bytes &&
	       count > 1;
}

void wm_element_append(struct wm_element_text *out, Dwarf_Die *type,
		       uint64_t base, const struct wm_spread *spread)
{
	struct rest r = { .out = out, .type = *type, .base = base };
	bool more = true;

	r.at = *spread;
	r.types.steps = WM_TYPES_STEPS;
	if (!r.at.bytes)
		r.at.bytes = 1;
	if (r.at.last < r.at.first || !r.at.stride)
		r.at.last = r.at.first;
	r.fortran = is_fortran(type);
	for (int depth = 0; more && depth < WM_TYPES_DEPTH; depth++) {
		uint64_t bytes = wm_types_bytes(&r.types, &r.type);
		struct wm_type_parts parts;
		struct wm_array array;

		if (wm_types_is_descriptor(&r.type)) {
			wm_element_put(out, "{descriptor}");
			more = false;
		} else if (wm_types_array(&r.types, &r.type, &array)) {
			more = !is_all(&r, bytes, array.count) &&
			       append_array(&r, &array);
		} else if (wm_types_parts(&r.types, &r.type, r.base, &parts)) {
			more = append_member(&r, &parts);
		} else {
			append_scalar(&r, bytes);
			more = false;
		}
	}
}
