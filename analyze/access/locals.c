/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/locals.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/plain.h"
#include "analyze/lib/base/vec.h"
#include "wm/search.h"

#define MOST_ENTRIES 30000000
#define MOST_SCOPES 64
#define MOST_LOCALS 4096
#define MOST_RANGES 4096

#define REG_FP 6
#define REG_SP 7

struct wm_locals_answer {
	uint64_t pc;
	struct wm_scope *function;
};

void wm_locals_init(struct wm_locals *l, struct wm_module_file *file)
{
	memset(l, 0, sizeof(*l));
	l->file = file;
}

void wm_locals_release(struct wm_locals *l)
{
	for (size_t i = 0; i < l->functions; i++) {
		free(l->function[i]->local);
		free(l->function[i]);
	}
	free(l->function);
	free(l->answer);
	memset(l, 0, sizeof(*l));
}

/* ---- the frame ---- */

static void read_rule(const struct wm_locals *l, uint64_t pc,
		      struct wm_scope *f)
{
	Dwarf_Addr bias;
	Dwarf_CFI *cfi = dwfl_module_eh_cfi(l->file->mod, &bias);
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *op;
	size_t n;

	if (!cfi)
		cfi = dwfl_module_dwarf_cfi(l->file->mod, &bias);
	if (!cfi || dwarf_cfi_addrframe(cfi, pc + l->file->bias - bias, &frame))
		return;
	if (!dwarf_frame_cfa(frame, &op, &n) && n == 1 &&
	    op[0].atom == DW_OP_bregx &&
	    (op[0].number == REG_FP || op[0].number == REG_SP)) {
		f->by_fp = op[0].number == REG_FP;
		f->cfa = (int64_t)op[0].number2;
		f->known = true;
	}
	free(frame);
}

/* Stores the distance from the CFA to the value of register @reg. */
static bool from_register(const struct wm_scope *f, unsigned reg,
			  int64_t *place)
{
	*place = -f->cfa;
	return f->known && reg == (f->by_fp ? REG_FP : REG_SP);
}

/* Stores the distance from the CFA to the frame base of @die. */
static bool frame_base(const struct wm_scope *f, Dwarf_Die *die, int64_t *place)
{
	Dwarf_Attribute attr;
	Dwarf_Op *op;
	size_t n;

	*place = 0;
	if (!dwarf_attr_integrate(die, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation(&attr, &op, &n) || n != 1)
		return false;
	if (op[0].atom == DW_OP_call_frame_cfa)
		return f->known;
	if (op[0].atom != DW_OP_reg6 && op[0].atom != DW_OP_reg7)
		return false;
	return from_register(f, op[0].atom - DW_OP_reg0, place);
}

/* ---- variables ---- */

struct reading {
	struct wm_scope *f;
	int64_t base; /* frame base, from the CFA */
	bool good; /* enough memory */
};

static bool place_of(const struct reading *r, const Dwarf_Op *op, size_t n,
		     int64_t *place)
{
	int64_t from;

	if (n != 1)
		return false;
	if (op[0].atom == DW_OP_fbreg)
		from = r->base;
	else if ((op[0].atom != DW_OP_breg6 && op[0].atom != DW_OP_breg7) ||
		 !from_register(r->f, op[0].atom - DW_OP_breg0, &from))
		return false;
	*place = (int64_t)((uint64_t)from + op[0].number);
	/* parameters on the stack are in the caller's frame */
	return *place < 0 && *place > -(INT64_C(1) << 40);
}

static void add_local(struct reading *r, const struct wm_local *x)
{
	struct wm_scope *f = r->f;
	struct wm_local *to;

	for (size_t i = f->count; i--;) {
		if (f->local[i].die.addr != x->die.addr)
			break;
		if (f->local[i].place == x->place)
			return;
	}
	if (f->count == MOST_LOCALS)
		return;
	to = WM_MORE(f->local, f->cap, f->count);
	if (!to) {
		r->good = false;
		return;
	}
	*to = *x;
	f->count++;
}

static void read_local(struct reading *r, Dwarf_Die *die, Dwarf_Die *scope)
{
	struct wm_types t = { .steps = WM_TYPES_STEPS };
	struct wm_local x = { .name = dwarf_diename(die),
			      .die = *die,
			      .scope = *scope };
	Dwarf_Addr base, start, end;
	Dwarf_Attribute attr;
	ptrdiff_t at = 0;
	Dwarf_Op *op;
	size_t n;

	if (!x.name || !wm_is_plain(x.name) ||
	    !dwarf_attr(die, DW_AT_location, &attr) ||
	    !wm_types_of(&t, die, &x.type))
		return;
	x.bytes = wm_types_bytes(&t, &x.type);
	if (!x.bytes)
		return;
	for (int i = 0; i < MOST_RANGES; i++) {
		at = dwarf_getlocations(&attr, at, &base, &start, &end, &op,
					&n);
		if (at <= 0)
			break;
		if (place_of(r, op, n, &x.place))
			add_local(r, &x);
	}
}

static bool is_block(int tag)
{
	return tag == DW_TAG_lexical_block ||
	       tag == DW_TAG_inlined_subroutine || tag == DW_TAG_try_block ||
	       tag == DW_TAG_catch_block;
}

static int by_place(const void *a, const void *b)
{
	const struct wm_local *x = a, *y = b;

	return WM_ORDER(x->place, y->place);
}

/* Reads the locals of the function @die, and of functions inlined in it. */
static bool read_locals(struct wm_scope *f, Dwarf_Die *die)
{
	struct reading r = { .f = f, .good = true };
	Dwarf_Die open[MOST_SCOPES];
	size_t depth = 1;
	unsigned left = 1 << 20;

	open[0] = *die;
	if (!frame_base(f, die, &r.base) || dwarf_child(die, &open[1]))
		return true;
	while (left-- && r.good) {
		int tag = dwarf_tag(&open[depth]);

		if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
			read_local(&r, &open[depth], &open[depth - 1]);
		if (is_block(tag) && depth + 1 < MOST_SCOPES &&
		    !dwarf_child(&open[depth], &open[depth + 1])) {
			depth++;
			continue;
		}
		while (depth && dwarf_siblingof(&open[depth], &open[depth]))
			depth--;
		if (!depth)
			break;
	}
	WM_SORT(f->local, f->count, by_place);
	return r.good;
}

/* ---- functions ---- */

static bool holds_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module ||
	       tag == DW_TAG_subprogram;
}

static bool find_function(Dwarf_Die *unit, uint64_t pc, Dwarf_Die *found)
{
	Dwarf_Die open[MOST_SCOPES];
	unsigned left = MOST_ENTRIES;
	size_t depth = 0;
	bool any = false;

	if (dwarf_child(unit, &open[0]))
		return false;
	while (left--) {
		int tag = dwarf_tag(&open[depth]);
		bool here = tag == DW_TAG_subprogram &&
			    dwarf_haspc(&open[depth], pc) > 0;

		if (here) {
			*found = open[depth];
			any = true;
		}
		if (holds_functions(tag) && depth + 1 < MOST_SCOPES &&
		    !dwarf_child(&open[depth], &open[depth + 1])) {
			depth++;
			continue;
		}
		while (dwarf_siblingof(&open[depth], &open[depth]))
			if (!depth--)
				return any;
	}
	return any;
}

static bool find_die(const struct wm_locals *l, uint64_t pc, Dwarf_Die *found)
{
	Dwarf_Die *unit = NULL;
	Dwarf_Addr bias;

	if (l->file->no_dwarf)
		return false;
	unit = dwfl_module_addrdie(l->file->mod, pc + l->file->bias, &bias);
	if (unit)
		return find_function(unit, pc, found);
	/* clang writes no index of units */
	while ((unit = dwfl_module_nextcu(l->file->mod, unit, &bias)))
		if (dwarf_haspc(unit, pc) > 0)
			return find_function(unit, pc, found);
	return false;
}

static struct wm_scope *make_function(struct wm_locals *l, uint64_t low,
				      Dwarf_Die *die)
{
	struct wm_scope **to, *f;

	for (size_t i = 0; i < l->functions; i++)
		if (l->function[i]->low == low)
			return l->function[i];
	to = WM_MORE(l->function, l->function_cap, l->functions);
	f = to ? calloc(1, sizeof(*f)) : NULL;
	if (!f)
		return NULL;
	f->low = low;
	f->die = *die;
	*to = f;
	l->functions++;
	return f;
}

struct wm_scope *wm_locals_function(struct wm_locals *l, uint64_t pc)
{
	struct wm_locals_answer *a;
	size_t at = WM_FIRST(i, l->answers, l->answer[i].pc >= pc);
	Dwarf_Addr low;
	Dwarf_Die die;

	if (at < l->answers && l->answer[at].pc == pc)
		return l->answer[at].function;
	if (!l->file->mod || !WM_MORE(l->answer, l->answer_cap, l->answers))
		return NULL;
	a = &l->answer[at];
	memmove(a + 1, a, (l->answers++ - at) * sizeof(*a));
	*a = (struct wm_locals_answer){ .pc = pc };
	if (find_die(l, pc - 1, &die) && !dwarf_entrypc(&die, &low))
		a->function = make_function(l, low, &die);
	return a->function;
}

const struct wm_scope *wm_locals_frame(struct wm_locals *l, uint64_t pc)
{
	struct wm_scope *f = wm_locals_function(l, pc);

	if (!f || f->frame == pc)
		return f;
	/* a function has only one such place */
	if (f->frame)
		return NULL;
	f->frame = pc;
	read_rule(l, pc - 1, f);
	if (f->known)
		read_locals(f, &f->die);
	return f;
}

const struct wm_local *wm_locals_find(const struct wm_scope *f, int64_t place,
				      uint64_t pc)
{
	const struct wm_local *found = NULL;

	for (size_t i = 0; i < f->count && f->local[i].place <= place; i++) {
		const struct wm_local *x = &f->local[i];
		Dwarf_Die scope = x->scope;

		if ((uint64_t)(place - x->place) >= x->bytes)
			continue;
		if (pc && dwarf_haspc(&scope, pc - 1) == 0)
			continue;
		/* blocks that are never open together share memory */
		if (found)
			return NULL;
		found = x;
	}
	return found;
}
