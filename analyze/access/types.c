/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/types.h"

#include <dwarf.h>
#include <string.h>

#define MOST_BYTES (UINT64_C(1) << 48)

static bool take_step(struct wm_types *t)
{
	if (!t->steps)
		return false;
	t->steps--;
	return true;
}

bool wm_types_number(Dwarf_Die *die, unsigned name, int64_t *value)
{
	Dwarf_Attribute attr;
	Dwarf_Word word;
	Dwarf_Sword sword;

	if (!dwarf_attr_integrate(die, name, &attr))
		return false;
	/* compilers write other forms of a fixed size without a sign */
	if (dwarf_whatform(&attr) == DW_FORM_sdata ||
	    dwarf_whatform(&attr) == DW_FORM_implicit_const) {
		if (dwarf_formsdata(&attr, &sword))
			return false;
		*value = sword;
		return true;
	}
	if (dwarf_formudata(&attr, &word))
		return false;
	*value = (int64_t)word;
	return true;
}

static bool is_wrapping(int tag)
{
	return tag == DW_TAG_typedef || tag == DW_TAG_const_type ||
	       tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
	       tag == DW_TAG_atomic_type || tag == DW_TAG_packed_type ||
	       tag == DW_TAG_immutable_type || tag == DW_TAG_shared_type;
}

static bool follow(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Die to;

	if (!dwarf_attr_integrate(die, name, &attr) ||
	    !dwarf_formref_die(&attr, &to))
		return false;
	*die = to;
	return true;
}

/* Skips typedef, const and the like; returns false without a known type. */
static bool peel(struct wm_types *t, Dwarf_Die *type)
{
	for (int hops = 0; hops < 64 && take_step(t); hops++) {
		if (is_wrapping(dwarf_tag(type))) {
			if (!follow(type, DW_AT_type))
				return false;
		} else if (!dwarf_hasattr(type, DW_AT_signature)) {
			return dwarf_tag(type) != DW_TAG_invalid;
		} else if (!follow(type, DW_AT_signature)) {
			return false;
		}
	}
	return false;
}

bool wm_types_of(struct wm_types *t, Dwarf_Die *die, Dwarf_Die *type)
{
	*type = *die;
	return follow(type, DW_AT_type) && peel(t, type);
}

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t r;

	return __builtin_mul_overflow(a, b, &r) || r > MOST_BYTES ? 0 : r;
}

static bool is_dynamic(Dwarf_Die *die, unsigned name)
{
	int64_t v;

	return dwarf_hasattr_integrate(die, name) &&
	       !wm_types_number(die, name, &v);
}

static void read_dimension(Dwarf_Die *die, int64_t lower,
			   struct wm_dimension *d)
{
	int64_t v;

	memset(d, 0, sizeof(*d));
	d->lower = lower;
	wm_types_number(die, DW_AT_lower_bound, &d->lower);
	if (dwarf_tag(die) == DW_TAG_enumeration_type)
		return;
	if (wm_types_number(die, DW_AT_byte_stride, &v) && v > 0)
		d->stride = (uint64_t)v;
	if (wm_types_number(die, DW_AT_count, &v))
		d->count = v > 0 ? (uint64_t)v : 0;
	else if (wm_types_number(die, DW_AT_upper_bound, &v) && v >= d->lower)
		d->count = (uint64_t)v - (uint64_t)d->lower + 1;
	if (d->count > MOST_BYTES || is_dynamic(die, DW_AT_lower_bound))
		d->count = 0;
}

/* Sets the strides, from the dense dimension on. */
static void set_strides(struct wm_array *a)
{
	uint64_t stride = a->bytes;

	a->count = 1;
	for (size_t i = 0; i < a->rank; i++) {
		size_t k = a->column_major ? i : a->rank - 1 - i;

		if (!a->dim[k].stride)
			a->dim[k].stride = stride;
		stride = times(a->dim[k].stride, a->dim[k].count);
		a->count = times(a->count, a->dim[k].count);
	}
}

static bool is_subrange(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_subrange_type || tag == DW_TAG_enumeration_type;
}

bool wm_types_is_descriptor(Dwarf_Die *type)
{
	return dwarf_tag(type) == DW_TAG_array_type &&
	       dwarf_hasattr(type, DW_AT_data_location);
}

static int64_t default_lower(Dwarf_Die *type)
{
	Dwarf_Sword lower = 0;
	Dwarf_Die unit;

	if (dwarf_diecu(type, &unit, NULL, NULL))
		dwarf_default_lower_bound(dwarf_srclang(&unit), &lower);
	return lower;
}

bool wm_types_array(struct wm_types *t, Dwarf_Die *type, struct wm_array *a)
{
	int64_t order = DW_ORD_row_major, lower;
	Dwarf_Die child;

	memset(a, 0, sizeof(*a));
	if (dwarf_tag(type) != DW_TAG_array_type ||
	    wm_types_is_descriptor(type) || !wm_types_of(t, type, &a->element))
		return false;
	wm_types_number(type, DW_AT_ordering, &order);
	a->column_major = order == DW_ORD_col_major;
	lower = default_lower(type);
	for (int more = dwarf_child(type, &child); !more && take_step(t);
	     more = dwarf_siblingof(&child, &child)) {
		if (!is_subrange(&child))
			continue;
		if (a->rank == WM_TYPES_RANK)
			return false;
		read_dimension(&child, lower, &a->dim[a->rank++]);
	}
	a->bytes = wm_types_bytes(t, &a->element);
	if (!a->rank || !a->bytes)
		return false;
	set_strides(a);
	return true;
}

/* A descriptor of gfortran since 9: a head, and three numbers per dimension. */
static uint64_t descriptor_bytes(struct wm_types *t, Dwarf_Die *type)
{
	uint64_t bytes = 40;
	Dwarf_Die child;

	for (int more = dwarf_child(type, &child); !more && take_step(t);
	     more = dwarf_siblingof(&child, &child))
		bytes += is_subrange(&child) ? 24 : 0;
	return bytes;
}

uint64_t wm_types_bytes(struct wm_types *t, Dwarf_Die *type)
{
	uint64_t bytes = 0;
	struct wm_array a;
	Dwarf_Die unit;
	uint8_t pointer = 0;
	int64_t v;

	if (wm_types_number(type, DW_AT_byte_size, &v))
		return v > 0 && (uint64_t)v <= MOST_BYTES ? (uint64_t)v : 0;
	switch (dwarf_tag(type)) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return dwarf_diecu(type, &unit, &pointer, NULL) ? pointer : 0;
	case DW_TAG_array_type:
		if (wm_types_is_descriptor(type))
			return descriptor_bytes(t, type);
		if (t->depth == WM_TYPES_DEPTH)
			return 0;
		t->depth++;
		if (wm_types_array(t, type, &a))
			bytes = times(a.bytes, a.count);
		t->depth--;
		return bytes;
	default:
		return 0;
	}
}

bool wm_types_parts(struct wm_types *t, Dwarf_Die *type, uint64_t base,
		    struct wm_type_parts *p)
{
	int tag = dwarf_tag(type);

	memset(p, 0, sizeof(*p));
	if (tag != DW_TAG_structure_type && tag != DW_TAG_class_type &&
	    tag != DW_TAG_union_type && tag != DW_TAG_common_block)
		return false;
	p->types = t;
	p->is_union = tag == DW_TAG_union_type;
	p->common = tag == DW_TAG_common_block;
	p->base = base;
	p->more = dwarf_child(type, &p->next) == 0;
	return true;
}

static bool member_offset(Dwarf_Die *die, uint64_t *offset)
{
	Dwarf_Attribute attr;
	Dwarf_Op *op;
	size_t n;
	int64_t v;

	*offset = 0;
	if (!dwarf_attr_integrate(die, DW_AT_data_member_location, &attr))
		return true;
	if (wm_types_number(die, DW_AT_data_member_location, &v)) {
		*offset = (uint64_t)v;
		return v >= 0;
	}
	/* DWARF 2; virtual base classes need the object itself */
	if (dwarf_getlocation(&attr, &op, &n) || n != 1 ||
	    op[0].atom != DW_OP_plus_uconst)
		return false;
	*offset = op[0].number;
	return true;
}

static bool set_bits(Dwarf_Die *die, struct wm_part *part)
{
	int64_t bits, from, storage;

	if (!wm_types_number(die, DW_AT_bit_size, &bits) || bits <= 0 ||
	    bits > 1024)
		return true;
	if (!wm_types_number(die, DW_AT_data_bit_offset, &from)) {
		/* in DWARF 3, from the high end of the storage */
		if (!wm_types_number(die, DW_AT_bit_offset, &from))
			return false;
		if (!wm_types_number(die, DW_AT_byte_size, &storage))
			storage = (int64_t)part->bytes;
		if (storage <= 0 || storage > 64)
			return false;
		from = storage * 8 - from - bits + (int64_t)part->offset * 8;
	}
	if (from < 0)
		return false;
	part->bits = true;
	part->offset = (uint64_t)from / 8;
	part->bytes = ((uint64_t)from % 8 + (uint64_t)bits + 7) / 8;
	return true;
}

static bool is_part(Dwarf_Die *die, bool common)
{
	int tag = dwarf_tag(die);

	if (common)
		return tag == DW_TAG_variable;
	return tag == DW_TAG_inheritance ||
	       (tag == DW_TAG_member &&
		(dwarf_hasattr(die, DW_AT_data_member_location) ||
		 /* a static member has only the second attribute */
		 !dwarf_hasattr(die, DW_AT_external)));
}

static bool read_part(struct wm_type_parts *p, Dwarf_Die *die,
		      struct wm_part *part)
{
	uint64_t at;
	bool in_thread;

	memset(part, 0, sizeof(*part));
	part->die = *die;
	if (dwarf_tag(die) != DW_TAG_inheritance)
		part->name = dwarf_diename(die);
	part->typed = wm_types_of(p->types, die, &part->type);
	if (part->typed)
		part->bytes = wm_types_bytes(p->types, &part->type);
	if (!p->common)
		return member_offset(die, &part->offset) && set_bits(die, part);
	if (!wm_types_place(die, &at, &in_thread) || at < p->base)
		return false;
	part->offset = at - p->base;
	return true;
}

bool wm_types_next_part(struct wm_type_parts *p, struct wm_part *part)
{
	bool good = false;

	while (p->more && !good && take_step(p->types)) {
		Dwarf_Die die = p->next;

		good = is_part(&die, p->common) && read_part(p, &die, part);
		p->more = dwarf_siblingof(&die, &p->next) == 0;
	}
	return good;
}

/* Stores the constant that an operation pushes; false: not a constant. */
static bool op_constant(Dwarf_Attribute *attr, const Dwarf_Op *op, uint64_t *v)
{
	Dwarf_Attribute in_table;
	Dwarf_Addr addr;

	switch (op->atom) {
	case DW_OP_addr:
	case DW_OP_const4u:
	case DW_OP_const8u:
	case DW_OP_constu:
		*v = op->number;
		return true;
	case DW_OP_addrx:
	case DW_OP_constx:
	case DW_OP_GNU_addr_index:
	case DW_OP_GNU_const_index:
		if (dwarf_getlocation_attr(attr, op, &in_table) ||
		    dwarf_formaddr(&in_table, &addr))
			return false;
		*v = addr;
		return true;
	default:
		return false;
	}
}

bool wm_types_place(Dwarf_Die *die, uint64_t *address, bool *in_thread)
{
	Dwarf_Attribute attr;
	Dwarf_Op *op;
	size_t n, i = 1;

	*in_thread = false;
	if (!dwarf_attr(die, DW_AT_location, &attr) ||
	    dwarf_getlocation(&attr, &op, &n) || !n ||
	    !op_constant(&attr, &op[0], address))
		return false;
	if (i < n && (op[i].atom == DW_OP_form_tls_address ||
		      op[i].atom == DW_OP_GNU_push_tls_address)) {
		*in_thread = true;
		i++;
	}
	if (i < n && op[i].atom == DW_OP_plus_uconst)
		*address += op[i++].number;
	return i == n && *address <= MOST_BYTES;
}
