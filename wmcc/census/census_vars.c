/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds where the variables of the plain program are declared: looks up the
 * address of each debugging entry among the rows, first outside functions,
 * which is quick, then inside.  A limit of entries limits the time for a huge
 * program.
 */
#include "wmcc/census/census_rows.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "wm/census_format.h"
#include "wm/search.h"
#include "wmcc/census/census_names.h"
#include "wmcc/census/dwarf.h"

/* The most visited entries take some twenty seconds. */
#define VISITS 100000000u
/* Only damaged input nests more deeply. */
#define DEPTH 64

/* How well an entry fits a row, from bad to good. */
enum fit {
	FIT_NONE,
	FIT_ONLY_NAME, /* has its name, but no address */
	FIT_INSIDE, /* inside the row: a member of a COMMON block */
	FIT_START, /* at the start of the row: an alias, an EQUIVALENCE */
	FIT_BLOCK, /* a COMMON block, at the start of the row or by name */
	FIT_NAME, /* at the start of the row, with its name */
};

struct target {
	uint64_t address, end;
	struct wm_model_row *row;
	enum fit fit;
	bool tls;
};

struct descent {
	struct wm_census_model *model;
	uint64_t tls_address;
	struct target *targets; /* in order of tls and address */
	size_t count;
	struct target **by_name; /* by string; NULL: none or several */
	size_t names;
	unsigned visits;
	bool inside_functions; /* set for the second walk */
};

static int compare_targets(const void *pa, const void *pb)
{
	const struct target *a = pa, *b = pb;

	return WM_KEYS(WM_ORDER(a->tls, b->tls),
		       WM_ORDER(a->address, b->address));
}

/* Indexes the rows by names that only one row has. */
static int index_names(struct descent *w)
{
	struct target *several = w->targets + w->count;
	size_t i, n = w->model->strings.count;

	w->by_name = calloc(n + 1, sizeof(*w->by_name));
	if (!w->by_name)
		return -1;
	w->names = n;
	for (i = 0; i < w->count; i++) {
		struct target **t = &w->by_name[w->targets[i].row->name];

		*t = *t ? several : &w->targets[i];
	}
	for (i = 0; i <= n; i++)
		if (w->by_name[i] == several)
			w->by_name[i] = NULL;
	return 0;
}

static int list_targets(struct descent *w)
{
	const struct wm_model_section *s = w->model->sections.items;
	struct wm_model_row *rows = w->model->rows.items, *r;
	size_t i, j;

	w->targets = calloc(w->model->rows.count + 1, sizeof(*w->targets));
	if (!w->targets)
		return -1;
	for (i = 0; i < w->model->sections.count; i++) {
		for (j = 0; j < s[i].rows; j++) {
			struct target *t = &w->targets[w->count];

			r = &rows[s[i].first_row + j];
			if (!r->name)
				continue;
			t->row = r;
			t->address = r->address;
			t->end = r->address + r->bytes;
			t->tls = s[i].class == WMC_CLASS_TLS;
			w->count++;
		}
	}
	qsort(w->targets, w->count, sizeof(*w->targets), compare_targets);
	return index_names(w);
}

static struct target *find_target(const struct descent *w, bool tls,
				  uint64_t address)
{
	struct target key = { .address = address, .tls = tls }, *t;
	size_t n = WM_FIRST(i, w->count,
			    compare_targets(&w->targets[i], &key) > 0);

	if (!n)
		return NULL;
	t = &w->targets[n - 1];
	return t->tls == tls && address < t->end ? t : NULL;
}

/* Returns false if the location has neither a static address nor a TLS
 * offset. */
static bool static_address(Dwarf_Attribute *attr, uint64_t *address, bool *tls)
{
	Dwarf_Attribute indexed;
	Dwarf_Addr at;
	Dwarf_Op *op;
	size_t n, i;

	if (dwarf_getlocation(attr, &op, &n) || !n)
		return false;
	switch (op[0].atom) {
	case DW_OP_addr:
	case DW_OP_const4u:
	case DW_OP_const8u:
		*address = op[0].number;
		break;
	case DW_OP_addrx:
	case DW_OP_constx:
	case DW_OP_GNU_addr_index:
	case DW_OP_GNU_const_index:
		if (dwarf_getlocation_attr(attr, op, &indexed))
			return false;
		if (!dwarf_formaddr(&indexed, &at))
			*address = at;
		else if (dwarf_formudata(&indexed, address))
			return false;
		break;
	default:
		return false;
	}
	*tls = false;
	for (i = 1; i < n; i++) {
		if (op[i].atom == DW_OP_plus_uconst)
			*address += op[i].number;
		else if (op[i].atom == DW_OP_GNU_push_tls_address ||
			 op[i].atom == DW_OP_form_tls_address)
			*tls = true;
		else
			return false;
	}
	if (!*tls &&
	    (op[0].atom == DW_OP_const4u || op[0].atom == DW_OP_const8u))
		return false;
	return true;
}

/* Returns the row for which @die has a declaration, or NULL. */
static struct target *choose_target(const struct descent *w, Dwarf_Die *die,
				    int tag, enum fit *fit)
{
	const struct wm_strings *strings = &w->model->strings;
	Dwarf_Attribute attr;
	const char *name, *row;
	struct target *t;
	uint64_t address;
	uint32_t number;
	bool tls;

	if (!dwarf_attr(die, DW_AT_location, &attr)) {
		/* gfortran gives only members of COMMON blocks an address.
		 * With link-time optimisation, clang gives these no address. */
		if (tag != DW_TAG_common_block &&
		    (dwarf_hasattr(die, DW_AT_declaration) ||
		     !dwarf_hasattr(die, DW_AT_external)))
			return NULL;
		number = wm_strings_find(strings, wm_dwarf_name(die));
		*fit = tag == DW_TAG_common_block ? FIT_BLOCK : FIT_ONLY_NAME;
		return number && number <= w->names ? w->by_name[number] : NULL;
	}
	if (!static_address(&attr, &address, &tls))
		return NULL;
	t = find_target(w, tls, tls ? address + w->tls_address : address);
	if (t && tls)
		address += w->tls_address;
	else if (tls) /* gcc's split units have an address, not an offset */
		t = find_target(w, tls, address);
	if (!t || t->fit == FIT_NAME)
		return NULL;
	name = wm_dwarf_name(die);
	row = wm_strings_get(strings, t->row->name);
	if (t->address != address)
		*fit = FIT_INSIDE;
	else if (name && row && !strcmp(name, row))
		*fit = FIT_NAME;
	else
		*fit = tag == DW_TAG_common_block ? FIT_BLOCK : FIT_START;
	return t;
}

static void take_variable(struct descent *w, Dwarf_Die *die, int tag)
{
	Dwarf_Attribute attr;
	Dwarf_Die unit;
	const char *file;
	struct target *t;
	enum fit fit;
	int line;

	t = choose_target(w, die, tag, &fit);
	if (!t || fit <= t->fit ||
	    !dwarf_attr_integrate(die, DW_AT_decl_file, &attr))
		return;
	file = wm_dwarf_file(&attr, &unit);
	if (!file)
		return;
	if (dwarf_decl_line(die, &line) || line < 0)
		line = 0;
	t->row->file = wm_dwarf_add_path(&w->model->strings,
					 wm_dwarf_folder(&unit), file);
	t->row->line = (uint32_t)line;
	t->fit = fit;
}

static void walk_children(struct descent *w, Dwarf_Die *parent, size_t depth)
{
	Dwarf_Die die;
	int tag, status;

	if (depth > DEPTH)
		return;
	for (status = dwarf_child(parent, &die); !status && w->visits;
	     status = dwarf_siblingof(&die, &die)) {
		w->visits--;
		tag = dwarf_tag(&die);
		switch (tag) {
		case DW_TAG_variable:
			take_variable(w, &die, tag);
			break;
		case DW_TAG_common_block:
			take_variable(w, &die, tag);
			walk_children(w, &die, depth + 1);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
			walk_children(w, &die, depth + 1);
			break;
		case DW_TAG_subprogram:
		case DW_TAG_inlined_subroutine:
		case DW_TAG_lexical_block:
			if (w->inside_functions)
				walk_children(w, &die, depth + 1);
			break;
		}
	}
}

static void walk_units(struct descent *w, Dwarf *dw)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split;
	uint8_t type;

	while (w->visits &&
	       !dwarf_get_units(dw, cu, &cu, NULL, &type, &die, &split)) {
		if (type == DW_UT_skeleton && split.addr)
			walk_children(w, &split, 0);
		else if (type == DW_UT_compile || type == DW_UT_partial)
			walk_children(w, &die, 0);
	}
}

/* Recognizes static variables, SAVE variables and COMMON blocks. */
static bool is_local(const struct descent *w, const struct target *t)
{
	const char *name = wm_strings_get(&w->model->strings, t->row->name);

	return name && (t->row->flags & WMC_ROW_COMMON || strchr(name, '.') ||
			strstr(name, "_ZZ") || name[strlen(name) - 1] == '_');
}

int wm_census_variables(struct wm_census_model *model,
			const struct wm_image *plain)
{
	struct descent w = { .model = model,
			     .tls_address = plain->tls_address,
			     .visits = VISITS };
	Dwarf *dw;
	size_t i;
	int status = -1;

	dw = wm_dwarf_begin(plain->elf, plain->fd);
	if (!dw)
		return 0;
	if (list_targets(&w) < 0)
		goto out;
	if (w.count)
		walk_units(&w, dw);
	w.inside_functions = true;
	for (i = 0; i < w.count; i++)
		if (w.targets[i].fit < FIT_NAME && is_local(&w, &w.targets[i]))
			break;
	if (i < w.count)
		walk_units(&w, dw);
	for (i = 0; i < w.count; i++)
		if (w.targets[i].fit)
			model->debug |= WMC_DEBUG_VARIABLES;
	status = 0;
out:
	free(w.by_name);
	free(w.targets);
	dwarf_end(dw);
	return status;
}
