/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/symbols/elements.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/plain.h"
#include "analyze/lib/base/vec.h"
#include "analyze/access/locals.h"
#include "analyze/access/module_file.h"
#include "analyze/symbols/static_dies.h"
#include "analyze/symbols/symbols.h"
#include "analyze/lib/base/texts.h"
#include "analyze/access/types.h"
#include "wm/search.h"

struct entry {
	struct wm_elements_variable v; /* first: by_place(), entry_of() */
	Dwarf_Die die; /* of a local variable */
	Dwarf_Die type; /* peeled; of COMMON, the block */
	bool typed, shaped;
};

struct wm_elements {
	struct wm_module_file file;
	const char *why;
	struct entry *entry; /* disjoint; by in_thread, then address */
	size_t count, cap;
	/* of the symbol table; only during wm_elements_open() */
	struct wm_elements_variable *symbol;
	size_t symbols, symbol_cap;
	struct wm_static_dies dies; /* later, only its texts are used */
	struct wm_texts texts;
	struct wm_locals locals;
	/* locals and array elements that were requested */
	struct entry **local;
	size_t local_count, local_cap;
};

static int order(bool thread_a, uint64_t a, bool thread_b, uint64_t b)
{
	return WM_KEYS(WM_ORDER(thread_a, thread_b), WM_ORDER(a, b));
}

/* Compares variables, or entries, which begin with a variable. */
static int by_place(const void *a, const void *b)
{
	const struct wm_elements_variable *x = a, *y = b;

	return WM_KEYS(order(x->in_thread, x->address, y->in_thread,
			     y->address),
		       WM_ORDER(y->bytes, x->bytes), strcmp(x->name, y->name));
}

static bool read_symbols(struct wm_elements *e)
{
	int n = dwfl_module_getsymtab(e->file.mod);

	for (int i = 0; i < n; i++) {
		GElf_Addr address, bias;
		struct wm_elements_variable *s;
		GElf_Word section;
		const char *name;
		GElf_Sym sym;
		int type;

		name = dwfl_module_getsym_info(e->file.mod, i, &sym, &address,
					       &section, NULL, &bias);
		type = GELF_ST_TYPE(sym.st_info);
		if (!name || !*name || section == SHN_UNDEF || !sym.st_size ||
		    (type != STT_OBJECT && type != STT_TLS) ||
		    sym.st_value + sym.st_size < sym.st_value)
			continue;
		s = WM_MORE(e->symbol, e->symbol_cap, e->symbols);
		if (!s)
			return false;
		e->symbols++;
		*s = (struct wm_elements_variable){
			.address = sym.st_value,
			.bytes = sym.st_size,
			.name = name, /* belongs to libdwfl */
			.in_thread = type == STT_TLS,
		};
	}
	WM_SORT(e->symbol, e->symbols, by_place);
	return true;
}

static size_t symbols_from(const struct wm_elements *e, uint64_t address,
			   bool in_thread)
{
	const struct wm_elements_variable *s = e->symbol;

	return WM_FIRST(i, e->symbols,
			order(s[i].in_thread, s[i].address, in_thread,
			      address) >= 0);
}

static const struct wm_elements_variable *
symbol_at(const struct wm_elements *e, const struct wm_static_die *d)
{
	size_t i = symbols_from(e, d->address, d->in_thread), n;
	const struct wm_elements_variable *first = NULL, *s;

	for (n = strlen(d->linkage); i < e->symbols; i++) {
		s = &e->symbol[i];
		if (s->address != d->address || s->in_thread != d->in_thread)
			break;
		/* the compiler adds a number to names of static variables */
		if (strncmp(s->name, d->linkage, n) == 0 &&
		    (!s->name[n] || s->name[n] == '.'))
			return s;
		if (!first)
			first = s;
	}
	return first;
}

static const char *keep_plain(struct wm_elements *e, const char *name)
{
	return wm_texts_keep(&e->texts, wm_plain(name, strlen(name)));
}

static const char *symbol_name(struct wm_elements *e, const char *name)
{
	char *text = wm_demangle(name, NULL);
	const char *kept = keep_plain(e, text ? text : name);

	free(text);
	return kept;
}

static bool add_die(struct wm_elements *e, const struct wm_static_die *d)
{
	const struct wm_elements_variable *s = symbol_at(e, d);
	struct wm_types t = { .steps = WM_TYPES_STEPS };
	struct entry *to;
	Dwarf_Die type = d->type;
	uint64_t bytes = wm_types_bytes(&t, &type);
	bool same = s && strncmp(s->name, d->linkage, strlen(d->linkage)) == 0;

	/* a flexible array makes the symbol larger than the type */
	if (s && (!bytes || (same && s->bytes > bytes)))
		bytes = s->bytes;
	if (!bytes || d->address + bytes < d->address)
		return true;
	to = WM_MORE(e->entry, e->cap, e->count);
	if (!to)
		return false;
	to->type = type;
	to->typed = true;
	to->v = (struct wm_elements_variable){
		.address = d->address,
		.bytes = bytes,
		.unit = d->unit,
		.in_thread = d->in_thread,
		.name = s && strncmp(s->name, "_Z", 2) == 0 ?
				symbol_name(e, s->name) :
				keep_plain(e, d->name),
	};
	e->count++;
	return to->v.name != NULL;
}

static void drop_inner(struct wm_elements *e)
{
	const struct wm_elements_variable *last = NULL;
	size_t n = 0;

	WM_SORT(e->entry, e->count, by_place);
	for (size_t i = 0; i < e->count; i++) {
		const struct wm_elements_variable *v = &e->entry[i].v;

		if (last && last->in_thread == v->in_thread &&
		    v->address < last->address + last->bytes)
			continue;
		e->entry[n] = e->entry[i];
		last = &e->entry[n++].v;
	}
	e->count = n;
}

/* Returns the last of @count entries that begins at or before a place, or
 * NULL. */
static struct entry *entry_before(struct wm_elements *e, size_t count,
				  uint64_t address, bool in_thread)
{
	size_t n = WM_FIRST(i, count,
			    order(e->entry[i].v.in_thread,
				  e->entry[i].v.address, in_thread,
				  address) > 0);

	return n ? &e->entry[n - 1] : NULL;
}

/* Adds symbols where debug information has no variable. */
static bool add_symbols(struct wm_elements *e)
{
	size_t typed = e->count;

	for (size_t i = 0; i < e->symbols; i++) {
		const struct wm_elements_variable *s = &e->symbol[i];
		const struct entry *v = entry_before(e, typed,
						     s->address + s->bytes - 1,
						     s->in_thread);
		struct entry *to;

		if (v && v->v.in_thread == s->in_thread &&
		    v->v.address + v->v.bytes > s->address)
			continue;
		to = WM_MORE(e->entry, e->cap, e->count);
		if (!to)
			return false;
		to->v = (struct wm_elements_variable){
			.address = s->address,
			.bytes = s->bytes,
			.element_bytes = s->bytes,
			.elements = 1,
			.in_thread = s->in_thread,
			.name = symbol_name(e, s->name),
		};
		if (!to->v.name)
			return false;
		e->count++;
	}
	drop_inner(e);
	return true;
}

static const char *why_untyped(const struct wm_elements *e)
{
	if (e->dies.split)
		return "its debug information is in other files (-gsplit-dwarf)";
	if (!e->dies.units)
		return "it has no debug information (-g)";
	if (!e->dies.count)
		return "its debug information has no variables (-g1?)";
	return NULL;
}

static bool read_variables(struct wm_elements *e)
{
	Dwarf_Addr bias;
	Dwarf *dw = e->file.no_dwarf ? NULL :
				       dwfl_module_getdwarf(e->file.mod, &bias);

	if (!read_symbols(e) || (dw && !wm_static_dies_read(&e->dies, dw)))
		return false;
	for (size_t i = 0; i < e->dies.count; i++)
		if (!add_die(e, &e->dies.die[i]))
			return false;
	drop_inner(e);
	e->why = why_untyped(e);
	return add_symbols(e);
}

enum wm_status wm_elements_open(struct wm_elements **out,
				const struct wm_module *exe, struct wm_err *err)
{
	const char *path = exe->path && *exe->path ? exe->path : "the program";
	struct wm_elements *e = *out = calloc(1, sizeof(*e));
	enum wm_status r = WM_OK;

	if (!e)
		return wm_no_memory(err, NULL);
	wm_module_file_open(&e->file, exe);
	wm_locals_init(&e->locals, &e->file);
	if (e->file.other)
		r = wm_err_set(err, WM_NOT_FOUND,
			       "%.300s: of another build than the trace", path);
	else if (!e->file.mod)
		r = wm_err_set(err, WM_NOT_FOUND,
			       "%.300s does not exist or is no program", path);
	else if (!read_variables(e))
		r = wm_no_memory(err, path);
	else if (!e->count)
		r = wm_err_set(err, WM_NOT_FOUND,
			       "%.300s has no variables: it is stripped", path);
	free(e->symbol);
	e->symbol = NULL;
	if (r) {
		wm_elements_free(e);
		*out = NULL;
	}
	return r;
}

void wm_elements_free(struct wm_elements *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->local_count; i++)
		free(e->local[i]);
	free(e->local);
	wm_locals_release(&e->locals);
	wm_static_dies_release(&e->dies);
	wm_texts_release(&e->texts);
	free(e->entry);
	free(e->symbol);
	wm_module_file_release(&e->file);
	free(e);
}

const char *wm_elements_why(const struct wm_elements *e)
{
	return e->why;
}

static void set_shape(struct entry *x)
{
	struct wm_types t = { .steps = WM_TYPES_STEPS };
	struct wm_elements_variable *v = &x->v;
	struct wm_type_parts parts;
	struct wm_array array;

	x->shaped = true;
	v->element_bytes = v->bytes;
	v->elements = 1;
	if (!x->typed)
		return;
	v->shape = WM_SHAPE_SCALAR;
	if (wm_types_is_descriptor(&x->type)) {
		v->shape = WM_SHAPE_STRUCTURE;
		v->descriptor = true;
	} else if (wm_types_array(&t, &x->type, &array)) {
		v->shape = WM_SHAPE_ARRAY;
		v->element_bytes = array.bytes;
		v->elements = v->bytes / array.bytes;
	} else if (wm_types_parts(&t, &x->type, v->address, &parts)) {
		v->shape = WM_SHAPE_STRUCTURE;
	}
}

const struct wm_elements_variable *
wm_elements_find(struct wm_elements *e, uint64_t address, bool in_thread)
{
	struct entry *x = entry_before(e, e->count, address, in_thread);

	if (!x || x->v.in_thread != in_thread ||
	    address - x->v.address >= x->v.bytes)
		return NULL;
	if (!x->shaped)
		set_shape(x);
	return &x->v;
}

static const struct entry *entry_of(const struct wm_elements_variable *v)
{
	return (const struct entry *)(const void *)v;
}

/* Returns the entry of @die; NULL: no memory.  A new entry has no name. */
static struct entry *local_entry(struct wm_elements *e, const Dwarf_Die *die)
{
	struct entry **to, *x;

	for (size_t i = 0; i < e->local_count; i++)
		if (e->local[i]->die.addr == die->addr)
			return e->local[i];
	to = WM_MORE(e->local, e->local_cap, e->local_count);
	x = to ? calloc(1, sizeof(*x)) : NULL;
	if (!x)
		return NULL;
	*to = x;
	e->local_count++;
	x->die = *die;
	return x;
}

const struct wm_elements_variable *
wm_elements_element(struct wm_elements *e, const struct wm_elements_variable *v)
{
	struct wm_types t = { .steps = WM_TYPES_STEPS };
	Dwarf_Die array = entry_of(v)->type, type;
	struct entry *x;

	if (!v->descriptor || !wm_types_of(&t, &array, &type))
		return NULL;
	x = local_entry(e, &type);
	if (!x)
		return NULL;
	if (!x->v.name) {
		x->type = type;
		x->typed = true;
		x->v.bytes = wm_types_bytes(&t, &type);
		x->v.name = "";
		set_shape(x);
	}
	return x->v.shape == WM_SHAPE_STRUCTURE && x->v.bytes &&
			       !x->v.descriptor ?
		       &x->v :
		       NULL;
}

const struct wm_elements_variable *wm_elements_local(struct wm_elements *e,
						     uint64_t pc, int64_t place)
{
	const struct wm_scope *f = wm_locals_frame(&e->locals, pc);
	const struct wm_local *l = f ? wm_locals_find(f, place, 0) : NULL;
	struct entry *x;

	if (!l || l->place != place)
		return NULL;
	x = local_entry(e, &l->die);
	if (!x)
		return NULL;
	if (x->v.name)
		return &x->v;
	x->type = l->type;
	x->typed = true;
	x->v.bytes = l->bytes;
	x->v.name = keep_plain(e, l->name);
	if (!x->v.name)
		x->v.name = "?";
	set_shape(x);
	return &x->v;
}

void wm_elements_text(struct wm_elements *e,
		      const struct wm_elements_variable *v,
		      const struct wm_spread *spread,
		      struct wm_element_text *out)
{
	const struct entry *x = entry_of(v);

	(void)e;
	out->text[0] = 0;
	out->flags = 0;
	wm_element_put(out, "%s", v->name);
	if (x->typed) {
		Dwarf_Die type = x->type;

		wm_element_append(out, &type, v->address, spread);
		return;
	}
	out->flags |= WM_ELEMENT_REST;
	if (spread->stride)
		out->flags |= WM_ELEMENT_SEVERAL;
	else if (spread->first)
		wm_element_put(out, "+%" PRIu64, spread->first);
}

/* Includes members of base classes and of nameless members. */
static size_t add_members(struct wm_types *t, Dwarf_Die *type, uint64_t base,
			  uint64_t offset, struct wm_elements_member *list,
			  size_t room)
{
	struct wm_type_parts parts;
	struct wm_part p;
	size_t n = 0;

	if (t->depth == WM_TYPES_DEPTH ||
	    !wm_types_parts(t, type, base, &parts))
		return 0;
	t->depth++;
	while (n < room && wm_types_next_part(&parts, &p)) {
		if (p.name)
			list[n++] = (struct wm_elements_member){
				p.name, offset + p.offset, p.bytes
			};
		else if (p.typed)
			n += add_members(t, &p.type, 0, offset + p.offset,
					 list + n, room - n);
	}
	t->depth--;
	return n;
}

size_t wm_elements_members(struct wm_elements *e,
			   const struct wm_elements_variable *v,
			   struct wm_elements_member *list, size_t room)
{
	struct wm_types t = { .steps = WM_TYPES_STEPS };
	const struct entry *x = entry_of(v);
	Dwarf_Die type = x->type;
	struct wm_array array;
	size_t n;

	if (!x->typed)
		return 0;
	while (wm_types_array(&t, &type, &array) && t.steps)
		type = array.element;
	n = add_members(&t, &type, v->address, 0, list, room);
	for (size_t i = 0; i < n; i++) {
		if (!wm_is_plain(list[i].name))
			list[i].name = keep_plain(e, list[i].name);
		if (!list[i].name)
			list[i].name = "?";
	}
	return n;
}
