/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/callpath/unwind_row.h"

#include <link.h>
#include <stdbool.h>
#include <string.h>

#include "runtime/callpath/modules.h"

#define STATES 8
#define DW_OP_BREG0 0x70

enum rule { SAME, AT_CFA, AT_BP, UNDEFINED, OTHER };

struct state {
	int cfa_reg; /* WM_REG_SP, WM_REG_FP; -1: an expression */
	bool cfa_aligned; /* the expression "stored at frame pointer + cfa" */
	int64_t cfa;
	enum rule bp_rule, ra_rule;
	int64_t bp, ra;
};

struct bytes {
	const uint8_t *p, *end;
	bool failed;
};

struct cie {
	uint64_t code_align;
	int64_t data_align;
	uint64_t encoding;
	bool signal;
	struct bytes program;
};

static uint64_t take_uint(struct bytes *b, unsigned n)
{
	uint64_t v = 0;

	if ((size_t)(b->end - b->p) < n) {
		b->failed = true;
		b->p = b->end;
		return 0;
	}
	memcpy(&v, b->p, n);
	b->p += n;
	return v;
}

/* Stores the number of bits and the last byte of the LEB128 number. */
static uint64_t take_leb(struct bytes *b, unsigned *bits, uint64_t *last)
{
	uint64_t v = 0;

	*bits = 0;
	do {
		*last = take_uint(b, 1);
		if (*bits < 64)
			v |= (*last & 127) << *bits;
		*bits += 7;
	} while (*last & 128);
	return v;
}

static uint64_t take_uleb(struct bytes *b)
{
	unsigned bits;
	uint64_t last;

	return take_leb(b, &bits, &last);
}

static int64_t take_sleb(struct bytes *b)
{
	unsigned bits;
	uint64_t last, v = take_leb(b, &bits, &last);

	if (bits < 64 && (last & 64))
		v |= ~UINT64_C(0) << bits;
	return (int64_t)v;
}

/* @encoding is DW_EH_PE_*: the low four bits are the form; 0x10 is relative to
 * the place of the value. */
static uint64_t take_encoded(struct bytes *b, uint64_t encoding)
{
	uint64_t here = (uintptr_t)b->p, v;

	switch (encoding & 15) {
	case 0:
	case 4:
	case 12:
		v = take_uint(b, 8);
		break;
	case 3:
		v = take_uint(b, 4);
		break;
	case 11:
		v = (uint64_t)(int64_t)(int32_t)take_uint(b, 4);
		break;
	case 2:
		v = take_uint(b, 2);
		break;
	case 10:
		v = (uint64_t)(int64_t)(int16_t)take_uint(b, 2);
		break;
	default:
		b->failed = true;
		return 0;
	}
	if ((encoding & 0xf0) == 0x10)
		v += here;
	else if (encoding & 0xf0)
		b->failed = true;
	return v;
}

/* Returns the bytes after the length of the record (CIE or FDE) at @at. */
static struct bytes record_at(const uint8_t *at)
{
	struct bytes b = { at, at + 4, 0 };
	uint64_t length = take_uint(&b, 4);

	if (length == 0 || length >= 0xfffffff0)
		b.failed = true;
	else
		b.end = b.p + length;
	return b;
}

static bool read_augmentation(struct cie *cie, const char *letters,
			      struct bytes *b)
{
	uint64_t length = take_uleb(b);
	struct bytes a = *b;

	if ((uint64_t)(b->end - b->p) < length)
		return false;
	b->p += length;
	a.end = b->p;
	for (; *letters; letters++) {
		switch (*letters) {
		case 'R':
			cie->encoding = take_uint(&a, 1);
			break;
		case 'P':
			take_encoded(&a, take_uint(&a, 1) & 15);
			break;
		case 'L':
			take_uint(&a, 1);
			break;
		case 'S':
			cie->signal = true;
			break;
		default:
			return false;
		}
	}
	return !a.failed;
}

static bool read_cie(const uint8_t *at, struct cie *cie)
{
	struct bytes b = record_at(at);
	const char *letters;
	uint64_t version;

	memset(cie, 0, sizeof(*cie));
	if (take_uint(&b, 4) != 0)
		return false;
	version = take_uint(&b, 1);
	letters = (const char *)b.p;
	while (take_uint(&b, 1))
		;
	cie->code_align = take_uleb(&b);
	cie->data_align = take_sleb(&b);
	if ((version == 1 ? take_uint(&b, 1) : take_uleb(&b)) != WM_REG_RA)
		return false;
	/* without 'z' the FDE does not give the length of its augmentation
	 * data; no code for this processor is so old */
	if (*letters != 'z' || !read_augmentation(cie, letters + 1, &b))
		return false;
	cie->program = b;
	return !b.failed;
}

static void set_rule(struct state *s, uint64_t reg, enum rule rule, int64_t at)
{
	if (reg == WM_REG_FP) {
		s->bp_rule = rule;
		s->bp = at;
	} else if (reg == WM_REG_RA) {
		s->ra_rule = rule;
		s->ra = at;
	}
}

static void restore_rule(struct state *s, const struct state *initial,
			 uint64_t reg)
{
	if (reg == WM_REG_FP)
		set_rule(s, reg, initial->bp_rule, initial->bp);
	else if (reg == WM_REG_RA)
		set_rule(s, reg, initial->ra_rule, initial->ra);
}

/* CFA = *(frame pointer + n): DW_OP_breg<frame pointer> n, DW_OP_deref. */
static void cfa_expression(struct state *s, struct bytes e)
{
	s->cfa_reg = -1;
	s->cfa_aligned = false;
	if (take_uint(&e, 1) != DW_OP_BREG0 + WM_REG_FP)
		return;
	s->cfa = take_sleb(&e);
	s->cfa_aligned = take_uint(&e, 1) == 0x06 && e.p == e.end && !e.failed;
}

/* A register is stored at the frame pointer: DW_OP_breg<frame pointer> 0. */
static void register_expression(struct state *s, uint64_t reg, struct bytes e)
{
	bool plain = take_uint(&e, 1) == DW_OP_BREG0 + WM_REG_FP &&
		     take_sleb(&e) == 0 && e.p == e.end && !e.failed;

	set_rule(s, reg, plain ? AT_BP : OTHER, 0);
}

static struct bytes take_block(struct bytes *b)
{
	uint64_t n = take_uleb(b);
	struct bytes e = *b;

	if ((uint64_t)(b->end - b->p) < n) {
		b->failed = e.failed = true;
		return e;
	}
	e.end = b->p + n;
	b->p += n;
	return e;
}

/* Returns false if @op is no rule for a register. */
static bool take_register(uint8_t op, struct bytes *b, const struct cie *cie,
			  struct state *s, const struct state *initial)
{
	uint64_t reg;

	if (op < 0x05 || op > 0x16 || (op >= 0x0a && op <= 0x0f) ||
	    op == 0x12 || op == 0x13)
		return false;
	reg = take_uleb(b);
	switch (op) {
	case 0x05: /* offset_extended */
		set_rule(s, reg, AT_CFA,
			 (int64_t)take_uleb(b) * cie->data_align);
		break;
	case 0x11: /* offset_extended_sf */
		set_rule(s, reg, AT_CFA, take_sleb(b) * cie->data_align);
		break;
	case 0x06: /* restore_extended */
		restore_rule(s, initial, reg);
		break;
	case 0x07: /* undefined */
		set_rule(s, reg, UNDEFINED, 0);
		break;
	case 0x08: /* same_value */
		set_rule(s, reg, SAME, 0);
		break;
	case 0x10: /* expression */
		register_expression(s, reg, take_block(b));
		break;
	case 0x16: /* val_expression */
		set_rule(s, reg, OTHER, 0);
		take_block(b);
		break;
	default: /* register, val_offset, val_offset_sf */
		set_rule(s, reg, OTHER, 0);
		take_uleb(b);
	}
	return true;
}

/* Returns false if @op is no rule for the CFA. */
static bool take_cfa(uint8_t op, struct bytes *b, const struct cie *cie,
		     struct state *s)
{
	switch (op) {
	case 0x0c: /* def_cfa */
		s->cfa_reg = (int)take_uleb(b);
		s->cfa = (int64_t)take_uleb(b);
		return true;
	case 0x12: /* def_cfa_sf */
		s->cfa_reg = (int)take_uleb(b);
		s->cfa = take_sleb(b) * cie->data_align;
		return true;
	case 0x0d: /* def_cfa_register */
		s->cfa_reg = (int)take_uleb(b);
		return true;
	case 0x13: /* def_cfa_offset_sf */
		s->cfa = take_sleb(b) * cie->data_align;
		return true;
	case 0x0f: /* def_cfa_expression */
		cfa_expression(s, take_block(b));
		return true;
	default:
		return false;
	}
}

/* Runs a program up to the place @stop.  Returns false if it is damaged,
 * remembers more than STATES states, or has an unknown instruction. */
static bool run_program(struct bytes b, const struct cie *cie, struct state *s,
			const struct state *initial, uint64_t *loc,
			uint64_t stop)
{
	struct state stack[STATES];
	unsigned depth = 0;

	while (b.p < b.end && !b.failed) {
		uint8_t op = (uint8_t)take_uint(&b, 1);
		uint64_t to;

		if (op >> 6 == 2) { /* offset */
			set_rule(s, op & 63, AT_CFA,
				 (int64_t)take_uleb(&b) * cie->data_align);
			continue;
		}
		if (op == 0x0e) { /* def_cfa_offset, the most frequent one */
			s->cfa = (int64_t)take_uleb(&b);
			continue;
		}
		if (op >> 6 == 3) { /* restore */
			restore_rule(s, initial, op & 63);
			continue;
		}
		if (op >> 6 == 1) { /* advance_loc */
			to = *loc + (op & 63) * cie->code_align;
		} else if (op >= 0x02 && op <= 0x04) { /* advance_loc1, 2, 4 */
			to = *loc +
			     take_uint(&b, 1u << (op - 0x02)) * cie->code_align;
		} else if (op == 0x01) { /* set_loc */
			to = take_encoded(&b, cie->encoding);
		} else if (op == 0x0a) { /* remember_state */
			if (depth == STATES)
				return false;
			stack[depth++] = *s;
			continue;
		} else if (op == 0x0b) { /* restore_state */
			if (depth == 0)
				return false;
			*s = stack[--depth];
			continue;
		} else {
			if (op == 0x2e) /* GNU_args_size */
				take_uleb(&b);
			else if (op && !take_cfa(op, &b, cie, s) &&
				 !take_register(op, &b, cie, s, initial))
				return false;
			continue;
		}
		if (to > stop)
			return !b.failed;
		*loc = to;
	}
	return !b.failed;
}

static void fill_row(const struct state *s, struct wm_row *row)
{
	if (s->ra_rule == UNDEFINED) {
		row->kind = WM_ROW_LAST;
		return;
	}
	if (s->ra_rule != AT_CFA || s->ra != WM_RETURN_AT ||
	    s->cfa < INT32_MIN || s->cfa > INT32_MAX)
		return;
	row->cfa = (int32_t)s->cfa;
	if (s->cfa_reg == -1) {
		if (s->cfa_aligned && s->bp_rule == AT_BP)
			row->kind = WM_ROW_ALIGNED;
		return;
	}
	if (s->bp_rule == AT_CFA && s->bp != 0 && s->bp >= INT16_MIN &&
	    s->bp <= INT16_MAX)
		row->bp = (int16_t)s->bp;
	else if (s->bp_rule != SAME)
		return;
	if (s->cfa_reg == WM_REG_SP)
		row->kind = WM_ROW_SP;
	else if (s->cfa_reg == WM_REG_FP)
		row->kind = WM_ROW_BP;
}

struct fde {
	struct cie cie;
	uint64_t begin, length;
	struct bytes program;
};

static bool read_fde(const uint8_t *at, struct fde *fde)
{
	struct bytes b = record_at(at);
	const uint8_t *id_at = b.p;
	uint64_t back = take_uint(&b, 4), skip;

	if (b.failed || back == 0 || !read_cie(id_at - back, &fde->cie))
		return false;
	fde->begin = take_encoded(&b, fde->cie.encoding);
	fde->length = take_encoded(&b, fde->cie.encoding & 15);
	skip = take_uleb(&b); /* augmentation data */
	if (b.failed || (uint64_t)(b.end - b.p) < skip)
		return false;
	b.p += skip;
	fde->program = b;
	return true;
}

static void run_fde(const struct fde *fde, uint64_t pc, struct wm_row *row)
{
	struct state initial = { .cfa_reg = -1, .ra_rule = OTHER }, s;
	uint64_t loc = fde->begin;

	if (fde->cie.signal ||
	    !run_program(fde->cie.program, &fde->cie, &initial, &initial, &loc,
			 UINT64_MAX))
		return;
	s = initial;
	loc = fde->begin;
	if (run_program(fde->program, &fde->cie, &s, &initial, &loc, pc))
		fill_row(&s, row);
}

/* All linkers write sorted pairs of 32-bit distances (Linux Standard Base,
 * 10.6.2). */
static const uint8_t *find_fde(const uint8_t *hdr, uint64_t pc)
{
	struct bytes b = { hdr + 4, hdr + 64, 0 };
	uint64_t count, lo = 0, hi;
	const int32_t *table;

	if (hdr[0] != 1 || hdr[2] != 3 || hdr[3] != 0x3b)
		return NULL;
	take_encoded(&b, hdr[1]);
	count = take_uint(&b, 4);
	if (b.failed || count == 0)
		return NULL;
	table = (const void *)b.p;
	hi = count;
	while (lo < hi) {
		uint64_t mid = (lo + hi) / 2;

		if ((uintptr_t)hdr + (uint64_t)(int64_t)table[2 * mid] <= pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? hdr + table[2 * lo - 1] : NULL;
}

static void look_in_table(const uint8_t *hdr, uint64_t pc, struct wm_row *row)
{
	/* @pc + 1 may be in the function of the call, or begin the next one. */
	const uint8_t *at = find_fde(hdr, pc + 1);
	struct fde fde;

	if (!at || !read_fde(at, &fde))
		return;
	if (fde.begin == pc + 1) {
		at = find_fde(hdr, pc);
		if (!at || !read_fde(at, &fde) ||
		    pc - fde.begin >= fde.length) {
			/* No call returns there: makecontext() has stored it
			 * for the end of a coroutine. */
			row->kind = WM_ROW_LAST;
			return;
		}
	}
	if (pc - fde.begin < fde.length)
		run_fde(&fde, pc, row);
}

static int look_in_module(struct dl_phdr_info *info, size_t size, void *data)
{
	struct wm_row *row = data;
	uint64_t pc = row->ip - 1; /* inside the call */
	const uint8_t *hdr = NULL;
	bool in_module = false;

	(void)size;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uint64_t at = info->dlpi_addr + ph->p_vaddr;

		if (ph->p_type == PT_LOAD && pc - at < ph->p_memsz)
			in_module = true;
		if (ph->p_type == PT_GNU_EH_FRAME)
			hdr = (const uint8_t *)at;
	}
	if (!in_module || !hdr)
		return in_module;
	look_in_table(hdr, pc, row);
	return 1;
}

void wm_row_find(uint64_t ip, struct wm_row *row)
{
	memset(row, 0, sizeof(*row));
	row->ip = ip;
	wm_modules_at(ip, look_in_module, row);
}
