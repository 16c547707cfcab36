/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/symbols/static_dies.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/plain.h"
#include "analyze/lib/base/vec.h"
#include "analyze/access/types.h"

#define MOST_VARIABLES (1u << 20)
#define MOST_ENTRIES 30000000
#define MOST_SCOPES 64
#define PATH 1024

struct walk {
	struct wm_static_dies *s;
	const char *unit;
	unsigned left; /* entries that may still be visited */
	Dwarf_Die open[MOST_SCOPES];
	size_t ends[MOST_SCOPES]; /* ends of the scopes' names in `path` */
	size_t depth;
	char path[PATH];
};

void wm_static_dies_release(struct wm_static_dies *s)
{
	free(s->die);
	wm_texts_release(&s->texts);
	memset(s, 0, sizeof(*s));
}

static bool is_scope(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module ||
	       tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
	       tag == DW_TAG_inlined_subroutine || tag == DW_TAG_catch_block ||
	       tag == DW_TAG_try_block;
}

/* Joins the names of the first @depth scopes, @before, @name and @behind. */
static char *name_in(const struct walk *w, size_t depth, const char *before,
		     const char *name, const char *behind)
{
	char *text, *plain;

	if (asprintf(&text, "%.*s%s%s%s", (int)(depth ? w->ends[depth - 1] : 0),
		     w->path, before, name, behind) < 0)
		return NULL;
	plain = wm_plain(text, strlen(text));
	free(text);
	return plain;
}

static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		name = dwarf_formstring(&attr);
	return name ? name : dwarf_diename(die);
}

static bool add(struct walk *w, const struct wm_static_die *found, char *name)
{
	struct wm_static_dies *s = w->s;
	struct wm_static_die *d = WM_MORE(s->die, s->cap, s->count);

	name = (char *)(uintptr_t)wm_texts_keep(&s->texts, name);
	if (!d || !name)
		return false;
	*d = *found;
	d->name = name;
	d->unit = w->unit;
	s->count++;
	return true;
}

static bool add_variable(struct walk *w, Dwarf_Die *die)
{
	struct wm_static_die found = { .linkage = linkage_name(die) };
	struct wm_types t = { .steps = WM_TYPES_STEPS };
	const char *name = dwarf_diename(die);

	if (!name || !found.linkage ||
	    !wm_types_place(die, &found.address, &found.in_thread) ||
	    !wm_types_of(&t, die, &found.type))
		return true;
	return add(w, &found, name_in(w, w->depth, "", name, ""));
}

/* Finds the place of the first variable in a COMMON block. */
static bool common_place(Dwarf_Die *block, struct wm_static_die *found)
{
	uint64_t address;
	bool in_thread, any = false;
	Dwarf_Die child;
	int more, left = 1 << 16;

	for (more = dwarf_child(block, &child); !more && left--;
	     more = dwarf_siblingof(&child, &child)) {
		if (dwarf_tag(&child) != DW_TAG_variable ||
		    !wm_types_place(&child, &address, &in_thread))
			continue;
		if (!any || address < found->address) {
			found->address = address;
			found->in_thread = in_thread;
		}
		any = true;
	}
	return any;
}

static bool add_common(struct walk *w, Dwarf_Die *die)
{
	struct wm_static_die found = { .linkage = linkage_name(die),
				       .type = *die };
	const char *name = dwarf_diename(die);

	if (!name || !found.linkage || !common_place(die, &found))
		return true;
	/* each procedure that uses the block describes and adds it */
	return add(w, &found,
		   name_in(w, 0, "/", strcmp(name, "__BLNK__") ? name : "",
			   "/"));
}

static void enter(struct walk *w, Dwarf_Die *scope)
{
	size_t from = w->depth ? w->ends[w->depth - 1] : 0;
	const char *name = dwarf_diename(scope);
	int n = 0;

	if (!name && dwarf_tag(scope) == DW_TAG_namespace)
		name = "(anonymous namespace)";
	if (name)
		n = snprintf(w->path + from, PATH - from, "%s::", name);
	w->ends[w->depth] = n > 0 && (size_t)n < PATH - from ?
				    from + (size_t)n :
				    from;
}

static bool look_at(struct walk *w, Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	if (w->s->count >= MOST_VARIABLES)
		return true;
	if (tag == DW_TAG_variable)
		return add_variable(w, die);
	if (tag == DW_TAG_common_block)
		return add_common(w, die);
	return true;
}

/* w->open[n] is the next entry in scope n. */
static bool walk_unit(struct walk *w, Dwarf_Die *unit)
{
	w->depth = 0;
	if (dwarf_child(unit, &w->open[0]))
		return true;
	while (w->left) {
		Dwarf_Die *die = &w->open[w->depth];

		w->left--;
		if (!look_at(w, die))
			return false;
		if (w->depth + 1 < MOST_SCOPES && is_scope(dwarf_tag(die)) &&
		    dwarf_child(die, die + 1) == 0) {
			enter(w, die);
			w->depth++;
			continue;
		}
		while (dwarf_siblingof(&w->open[w->depth],
				       &w->open[w->depth])) {
			if (!w->depth)
				return true;
			w->depth--;
		}
	}
	return true;
}

bool wm_static_dies_read(struct wm_static_dies *s, Dwarf *dw)
{
	struct walk *w = calloc(1, sizeof(*w));
	Dwarf_CU *cu = NULL;
	bool good = w != NULL;
	Dwarf_Die die;
	uint8_t kind;

	if (!w)
		return false;
	w->s = s;
	w->left = MOST_ENTRIES;
	while (good && !dwarf_get_units(dw, cu, &cu, NULL, &kind, &die, NULL)) {
		const char *name;

		if (kind == DW_UT_skeleton)
			s->split = true;
		if (kind != DW_UT_compile || dwarf_tag(&die) == DW_TAG_invalid)
			continue;
		s->units++;
		name = dwarf_diename(&die);
		w->unit = name ? wm_texts_keep(&s->texts,
					       wm_plain(name, strlen(name))) :
				 NULL;
		good = walk_unit(w, &die);
	}
	free(w);
	return good;
}
