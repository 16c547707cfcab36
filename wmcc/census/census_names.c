/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/census/census_names.h"

#include <dwarf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Only damaged input nests more deeply. */
#define DEPTH 64
/* Longer qualified names lose their outermost scopes. */
#define NAME_MAX_BYTES 4096

/* A scope that may contain a function; number 0 is the unit. */
struct scope {
	const char *name;
	uint32_t parent;
};

static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		return dwarf_formstring(&attr);
	return NULL;
}

const char *wm_dwarf_name(Dwarf_Die *die)
{
	const char *name = linkage_name(die);

	return name ? name : dwarf_diename(die);
}

/* dwarf_decl_file() of libdw 0.188 does not know that number 0 is a file since
 * DWARF 5 (clang uses it), and aborts on gcc's split units. */
const char *wm_dwarf_file(Dwarf_Attribute *attr, Dwarf_Die *unit)
{
	Dwarf_Files *files;
	Dwarf_Half version;
	Dwarf_Word number;
	size_t n;

	if (dwarf_formudata(attr, &number) ||
	    dwarf_cu_info(attr->cu, &version, NULL, unit, NULL, NULL, NULL,
			  NULL) ||
	    (!number && version < 5) || dwarf_getsrcfiles(unit, &files, &n) ||
	    number >= n)
		return NULL;
	return dwarf_filesrc(files, (size_t)number, NULL, NULL);
}

const char *wm_dwarf_folder(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;

	return dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attr));
}

/* libdw 0.188 adds only the folders of DWARF 4. */
uint32_t wm_dwarf_add_path(struct wm_strings *strings, const char *folder,
			   const char *file)
{
	char path[PATH_MAX];
	int n = 0;

	if (!file || *file == '/' || !folder || *folder != '/')
		return wm_strings_add(strings, file);
	while (file[0] == '.' && file[1] == '/')
		file += 2;
	n = snprintf(path, sizeof(path), "%s/%s", folder, file);
	return wm_strings_add(strings, n < (int)sizeof(path) ? path : file);
}

static struct wm_known_slot *slot_of(struct wm_known_slot *slots, size_t size,
				     const void *key)
{
	size_t at = (size_t)(((uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u) >>
			     32) &
		    (size - 1);

	while (slots[at].key && slots[at].key != key)
		at = (at + 1) & (size - 1);
	return &slots[at];
}

static const struct wm_known_slot *known_find(const struct wm_known *k,
					      const void *key)
{
	const struct wm_known_slot *slot;

	if (!k->size)
		return NULL;
	slot = slot_of(k->slots, k->size, key);
	return slot->key ? slot : NULL;
}

static int known_add(struct wm_known *k, const void *key, uint32_t value)
{
	struct wm_known_slot *slots, *slot;
	size_t size, i;

	if (k->count * 4 >= k->size * 3) {
		size = k->size ? 2 * k->size : 256;
		slots = calloc(size, sizeof(*slots));
		if (!slots)
			return -1;
		for (i = 0; i < k->size; i++)
			if (k->slots[i].key)
				*slot_of(slots, size,
					 k->slots[i].key) = k->slots[i];
		free(k->slots);
		k->slots = slots;
		k->size = size;
	}
	slot = slot_of(k->slots, k->size, key);
	k->count += !slot->key;
	slot->key = key;
	slot->value = value;
	return 0;
}

static void known_release(struct wm_known *k)
{
	free(k->slots);
	memset(k, 0, sizeof(*k));
}

void wm_names_init(struct wm_names *names, struct wm_strings *strings,
		   unsigned *visits)
{
	*names = (struct wm_names){ .strings = strings,
				    .scopes = WM_VEC(struct scope),
				    .visits = visits };
}

void wm_names_forget(struct wm_names *names)
{
	known_release(&names->functions);
	known_release(&names->files);
	known_release(&names->held_in);
	known_release(&names->mapped);
	names->scopes.count = 0;
}

void wm_names_release(struct wm_names *names)
{
	wm_names_forget(names);
	wm_vec_release(&names->scopes);
}

/* Returns the scope that @die opens in @parent, or 0 without memory. */
static uint32_t open_scope(struct wm_names *names, Dwarf_Die *die, int tag,
			   uint32_t parent)
{
	const char *name = dwarf_diename(die);
	struct scope *s;

	if (!names->scopes.count && !wm_vec_add(&names->scopes))
		goto failed;
	s = wm_vec_add(&names->scopes);
	if (!s)
		goto failed;
	if (!name)
		name = tag == DW_TAG_namespace ? "(anonymous namespace)" :
						 "{unnamed}";
	*s = (struct scope){ name, parent };
	return (uint32_t)names->scopes.count - 1;
failed:
	names->failed = true;
	return 0;
}

/* Follows references from an entry to the entry that it completes, to the
 * last. */
static void follow_origin(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die next;
	size_t hops;

	for (hops = 0; hops < 8; hops++) {
		if ((!dwarf_attr(die, DW_AT_abstract_origin, &attr) &&
		     !dwarf_attr(die, DW_AT_specification, &attr)) ||
		    !dwarf_formref_die(&attr, &next))
			return;
		*die = next;
	}
}

/* The declaration of a function may be in another scope than the function. */
static uint32_t open_function(struct wm_names *names, Dwarf_Die *die,
			      uint32_t parent)
{
	const struct wm_known_slot *slot = NULL;
	Dwarf_Die declaration = *die;

	if (!parent) {
		follow_origin(&declaration);
		slot = known_find(&names->held_in, declaration.addr);
	}
	return open_scope(names, die, DW_TAG_subprogram,
			  slot ? slot->value : parent);
}

static void map_scopes(struct wm_names *names, Dwarf_Die *parent,
		       uint32_t scope, size_t depth)
{
	uint32_t inner;
	Dwarf_Die die;
	int status;

	if (depth > DEPTH)
		return;
	for (status = dwarf_child(parent, &die); !status && *names->visits;
	     status = dwarf_siblingof(&die, &die)) {
		int tag = dwarf_tag(&die);

		--*names->visits;
		switch (tag) {
		case DW_TAG_subprogram:
			if (scope &&
			    known_add(&names->held_in, die.addr, scope))
				names->failed = true;
			if (dwarf_haschildren(&die) <= 0)
				break;
			inner = open_function(names, &die, scope);
			if (inner)
				map_scopes(names, &die, inner, depth + 1);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
			if (dwarf_haschildren(&die) <= 0)
				break;
			inner = open_scope(names, &die, tag, scope);
			if (inner)
				map_scopes(names, &die, inner, depth + 1);
			break;
		case DW_TAG_lexical_block:
			map_scopes(names, &die, scope, depth + 1);
			break;
		}
	}
}

/* Functions of C have no scopes. */
static bool has_scopes(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
		return false;
	default:
		return true;
	}
}

/* Returns the scope that contains the declaration of a function; 0 is the
 * unit. */
static uint32_t scope_of(struct wm_names *names, Dwarf_Die *declaration)
{
	const struct wm_known_slot *slot;
	Dwarf_Die unit;

	if (!known_find(&names->mapped, declaration->cu)) {
		if (known_add(&names->mapped, declaration->cu, 1)) {
			names->failed = true;
			return 0;
		}
		if (!dwarf_cu_info(declaration->cu, NULL, NULL, &unit, NULL,
				   NULL, NULL, NULL) &&
		    has_scopes(&unit))
			map_scopes(names, &unit, 0, 0);
	}
	slot = known_find(&names->held_in, declaration->addr);
	return slot ? slot->value : 0;
}

static uint32_t qualified_name(struct wm_names *names, Dwarf_Die *function)
{
	const struct scope *scopes;
	const char *name = dwarf_diename(function);
	Dwarf_Die declaration = *function;
	char text[NAME_MAX_BYTES], *at = text + sizeof(text) - 1;
	uint32_t scope;
	size_t n;

	if (!name || strlen(name) >= sizeof(text))
		return wm_strings_add(names->strings, name);
	follow_origin(&declaration);
	scope = scope_of(names, &declaration);
	scopes = names->scopes.items;
	n = strlen(name);
	*at = 0;
	at -= n;
	memcpy(at, name, n);
	for (; scope; scope = scopes[scope].parent) {
		n = strlen(scopes[scope].name);
		if (n + 2 > (size_t)(at - text))
			break;
		at -= 2;
		memcpy(at, "::", 2);
		at -= n;
		memcpy(at, scopes[scope].name, n);
	}
	return wm_strings_add(names->strings, at);
}

uint32_t wm_names_function(struct wm_names *names, Dwarf_Die *function)
{
	const struct wm_known_slot *slot;
	const char *name;
	uint32_t number;

	slot = known_find(&names->functions, function->addr);
	if (slot)
		return slot->value;
	name = linkage_name(function);
	number = name ? wm_strings_add(names->strings, name) :
			qualified_name(names, function);
	if (known_add(&names->functions, function->addr, number))
		names->failed = true;
	return number;
}

uint32_t wm_names_file(struct wm_names *names, Dwarf_Attribute *attr)
{
	const struct wm_known_slot *slot;
	Dwarf_Die unit;
	const char *name = wm_dwarf_file(attr, &unit), *folder;
	uint32_t number;

	if (!name)
		return 0;
	slot = known_find(&names->files, name);
	if (slot)
		return slot->value;
	/* a split unit has no folder */
	folder = wm_dwarf_folder(&unit);
	number = wm_dwarf_add_path(names->strings,
				   folder ? folder : names->folder, name);
	if (known_add(&names->files, name, number))
		names->failed = true;
	return number;
}
