/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/symbols/inlined.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/access/split.h"
#include "analyze/lib/base/vec.h"

/* libdw walks entries by recursion.  Deeper nesting than any compiler makes
 * would exhaust the stack, and too many entries would take forever. */
#define DEPTH 1000
#define ENTRIES 30000000

static bool nests_deeply(Dwarf_Die *unit)
{
	Dwarf_Die open[DEPTH];
	size_t n = dwarf_child(unit, &open[0]) == 0;
	unsigned left = ENTRIES;

	while (n && left--) {
		if (dwarf_child(&open[n - 1], &open[n]) == 0) {
			if (++n == DEPTH)
				return true;
			continue;
		}
		while (n && dwarf_siblingof(&open[n - 1], &open[n - 1]))
			n--;
	}
	return n != 0;
}

void wm_dwarf_units_release(struct wm_dwarf_units *units)
{
	free(units->unit);
	memset(units, 0, sizeof(*units));
}

/* Checks each unit only once. */
static bool is_sound(struct wm_dwarf_units *units, Dwarf_Die *die)
{
	struct wm_dwarf_unit *u;
	Dwarf_Die unit;

	if (!dwarf_diecu(die, &unit, NULL, NULL))
		return false;
	for (size_t i = units->count; i--;)
		if (units->unit[i].unit == unit.addr)
			return units->unit[i].sound;
	u = WM_MORE(units->unit, units->cap, units->count);
	if (!u)
		return false;
	units->count++;
	u->unit = unit.addr;
	u->sound = !nests_deeply(&unit);
	return u->sound;
}

/* Searches all units if there is no index, which clang does not write. */
static Dwarf_Die *find_unit(Dwfl_Module *mod, uint64_t address,
			    Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(mod, address, bias);

	if (unit)
		return unit;
	while ((unit = dwfl_module_nextcu(mod, unit, bias)))
		if (dwarf_haspc(unit, address - *bias) > 0)
			return unit;
	return NULL;
}

static bool is_scope(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module ||
	       tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_union_type || tag == DW_TAG_subprogram;
}

/* Returns "space::class::name", with the scopes that are known. */
static char *qualify_name(Dwarf_Die *declaration, const char *name)
{
	Dwarf_Die *scopes = NULL;
	int count = dwarf_getscopes_die(declaration, &scopes), i;
	char *text = strdup(name), *longer;
	const char *scope;

	for (i = 1; i < count && text; i++) {
		if (!is_scope(dwarf_tag(&scopes[i])))
			continue;
		scope = dwarf_diename(&scopes[i]);
		if (!scope)
			scope = dwarf_tag(&scopes[i]) == DW_TAG_namespace ?
					"(anonymous namespace)" :
					"{unnamed}";
		if (asprintf(&longer, "%s::%s", scope, text) < 0)
			break;
		free(text);
		text = longer;
	}
	free(scopes);
	return text;
}

/* Returns the linkage name, or the name with all scopes around the function. */
static const char *inlined_name(struct wm_texts *made,
				struct wm_dwarf_units *units, Dwarf_Die *die)
{
	Dwarf_Die declaration = *die, next;
	Dwarf_Attribute attr;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr))
		name = dwarf_formstring(&attr);
	if (name)
		return name;
	name = dwarf_diename(die);
	for (int hops = 0; hops < 8; hops++) {
		if ((!dwarf_attr(&declaration, DW_AT_abstract_origin, &attr) &&
		     !dwarf_attr(&declaration, DW_AT_specification, &attr)) ||
		    !dwarf_formref_die(&attr, &next))
			break;
		declaration = next;
	}
	if (!name || !is_sound(units, &declaration))
		return name;
	return wm_texts_keep(made, qualify_name(&declaration, name));
}

static const char *file_of(Dwarf_Die *unit, Dwarf_Attribute *attr)
{
	Dwarf_Word number = 0;
	Dwarf_Files *files;
	size_t n;

	if (dwarf_formudata(attr, &number) ||
	    dwarf_getsrcfiles(unit, &files, &n) || number >= n)
		return NULL;
	return dwarf_filesrc(files, (size_t)number, NULL, NULL);
}

/* dwarf_decl_file() may abort. libdw 0.188 omits the folder with DWARF 5. */
static const char *source_of(struct wm_texts *made, Dwarf_Die *die)
{
	const char *file = NULL, *folder;
	Dwarf_Attribute attr;
	Dwarf_Die unit;
	char *text;

	if (dwarf_attr_integrate(die, DW_AT_decl_file, &attr) &&
	    dwarf_cu_die(attr.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL))
		file = file_of(&unit, &attr);
	if (!file || *file == '/')
		return file;
	folder = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attr));
	if (!folder || asprintf(&text, "%s/%s", folder, file) < 0)
		return file;
	return wm_texts_keep(made, text);
}

static void set_call(struct wm_location *location, Dwarf_Die *die,
		     Dwarf_Die *unit)
{
	Dwarf_Word line = 0;
	Dwarf_Attribute attr;

	location->line = 0;
	location->file = dwarf_attr(die, DW_AT_call_file, &attr) ?
				 file_of(unit, &attr) :
				 NULL;
	if (location->file && dwarf_attr(die, DW_AT_call_line, &attr) &&
	    !dwarf_formudata(&attr, &line))
		location->line = (uint32_t)line;
}

static void set_line(struct wm_location *location, Dwarf_Die *unit,
		     Dwarf_Addr address)
{
	Dwarf_Line *line = unit ? dwarf_getsrc_die(unit, address) : NULL;
	int n = 0;

	if (!line)
		return;
	location->file = dwarf_linesrc(line, NULL, NULL);
	location->line = !dwarf_lineno(line, &n) && n > 0 ? (uint32_t)n : 0;
}

void wm_line_at(const struct wm_module_file *f, uint64_t address,
		struct wm_location *location)
{
	Dwarf_Addr bias = 0;
	Dwarf_Die *unit = find_unit(f->mod, address, &bias);

	set_line(location, unit, address - bias);
}

size_t wm_inlined_unfold(struct wm_texts *made, struct wm_dwarf_units *units,
			 const struct wm_module_file *f, uint64_t address,
			 struct wm_location *locations, size_t room)
{
	Dwarf_Die *scopes = NULL, *chain = NULL, *found, copy, *unit = NULL;
	Dwarf_Addr bias = 0;
	int count, i, depth = 0;
	size_t n = 1;

	found = find_unit(f->mod, address, &bias);
	set_line(&locations[0], found, address - bias);
	if (found && (copy = *found, wm_split_open(f, &copy)))
		unit = &copy;
	count = unit && is_sound(units, unit) ?
			dwarf_getscopes(unit, address - bias, &scopes) :
			0;
	for (i = 0; i < count; i++)
		if (dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine ||
		    dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
			break;
	if (i < count && dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine)
		depth = dwarf_getscopes_die(&scopes[i], &chain);
	else if (i < count)
		locations[0].source = source_of(made, &scopes[i]);
	for (i = 0; i < depth && n < room; i++) {
		if (dwarf_tag(&chain[i]) == DW_TAG_subprogram) {
			locations[n - 1].source = source_of(made, &chain[i]);
			break;
		}
		if (dwarf_tag(&chain[i]) != DW_TAG_inlined_subroutine)
			continue;
		locations[n] = locations[n - 1];
		locations[n - 1].function = inlined_name(made, units,
							 &chain[i]);
		locations[n - 1].source = source_of(made, &chain[i]);
		set_call(&locations[n++], &chain[i], unit);
	}
	free(scopes);
	free(chain);
	return n;
}
