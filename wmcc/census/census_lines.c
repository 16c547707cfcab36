/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the line table of the relinked program: one row where the file or line
 * of an address changes. */
#include "wmcc/census/census_rows.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stdlib.h>

#include "wm/census_format.h"
#include "wm/search.h"
#include "wmcc/census/census_inlines.h"
#include "wmcc/census/census_names.h"
#include "wmcc/census/dwarf.h"

/* libdw keeps all lines that it has read, so it is then restarted. */
#define KEEP_LINES 4000000u

struct lines {
	struct wm_vec *rows; /* struct wm_model_line */
	struct wm_strings *strings;
	const struct wm_image *twin;
	const struct wm_image_section *section; /* of the last address */
	size_t first; /* first row of the unit */
	const char *folder; /* of the unit */
	const char *file; /* the last one; libdw owns it */
	uint32_t number; /* number of this string */
	size_t kept_lines; /* lines that libdw has in memory */
};

static bool is_code(struct lines *l, uint64_t address)
{
	const struct wm_image_section *s = l->section;

	if (!s || address < s->address || address - s->address >= s->bytes)
		s = wm_image_code_at(l->twin, address);
	if (s)
		l->section = s;
	return s;
}

/* @file is 0 at the end of a sequence. */
static int add_line(struct lines *l, uint64_t address, uint32_t file,
		    uint32_t line)
{
	struct wm_model_line *last = NULL;

	if (l->rows->count > l->first)
		last = (struct wm_model_line *)l->rows->items + l->rows->count -
		       1;
	if (last && last->file == file && last->line == line)
		return 0;
	/* the last of several rows at an address counts */
	if (!last || last->address != address || !file) {
		last = wm_vec_add(l->rows);
		if (!last)
			return -1;
	}
	last->address = address;
	last->file = file;
	last->line = line;
	return 0;
}

static uint32_t file_number(struct lines *l, Dwarf_Line *line)
{
	const char *file = dwarf_linesrc(line, NULL, NULL);

	if (file != l->file) {
		l->file = file;
		l->number = wm_dwarf_add_path(l->strings, l->folder, file);
	}
	return l->number;
}

/*
 * Adds the lines of one unit.  Code that the linker threw away starts at 0 or
 * 1.  If such a sequence extends into code, as it can in a position-independent
 * program, all lines up to its end are in doubt and are skipped.  An empty row
 * at the end of a sequence looks like the first row of another sequence, and
 * counts only if the unit has code there.
 */
static int take_unit(struct lines *l, Dwarf_Die *unit, Dwarf_Lines *lines,
		     size_t count)
{
	Dwarf_Line *line;
	Dwarf_Addr address, ended = 0;
	bool dead = false, end;
	size_t i;
	int number, status;

	l->first = l->rows->count;
	l->folder = wm_dwarf_folder(unit);
	l->file = NULL;
	for (i = 0; i < count; i++) {
		line = dwarf_onesrcline(lines, i);
		if (!line || dwarf_lineaddr(line, &address) ||
		    dwarf_lineendsequence(line, &end))
			continue;
		if (end) {
			status = dead ? 0 : add_line(l, address, 0, 0);
			dead = false;
			ended = address;
		} else if (address == ended && !dwarf_haspc(unit, address)) {
			continue;
		} else {
			dead = dead || !is_code(l, address);
			if (dead)
				continue;
			if (dwarf_lineno(line, &number) || number < 0)
				number = 0;
			status = add_line(l, address, file_number(l, line),
					  (uint32_t)number);
		}
		if (status < 0)
			return -1;
	}
	return 0;
}

static int compare_lines(const void *pa, const void *pb)
{
	const struct wm_model_line *a = pa, *b = pb;

	/* one sequence may end where another begins: the end is first */
	return WM_KEYS(WM_ORDER(a->address, b->address),
		       WM_ORDER(a->file, b->file), WM_ORDER(a->line, b->line));
}

/* Keeps the last row of each address, and drops rows that repeat a line. */
static void sort_lines(struct wm_vec *rows)
{
	struct wm_model_line *r = rows->items;
	size_t i, n = 0;

	wm_vec_sort(rows, compare_lines);
	for (i = 0; i < rows->count; i++) {
		if (n && r[n - 1].address == r[i].address)
			n--;
		if (!n ? r[i].file != 0 :
			 r[n - 1].file != r[i].file ||
				    r[n - 1].line != r[i].line)
			r[n++] = r[i];
	}
	rows->count = n;
}

/* Returns 0 after the last unit, 1 if libdw must be restarted, -1 without
 * memory. */
static int take_units(struct lines *l, struct wm_inlines *in, Dwarf *dw,
		      Dwarf_Off *at)
{
	Dwarf_Lines *lines;
	Dwarf_Off next;
	Dwarf_Die die;
	size_t header, count;

	l->kept_lines = 0;
	while (l->kept_lines < KEEP_LINES) {
		if (dwarf_nextcu(dw, *at, &next, &header, NULL, NULL, NULL))
			return 0;
		if (dwarf_offdie(dw, *at + header, &die)) {
			if (!dwarf_getsrclines(&die, &lines, &count)) {
				l->kept_lines += count;
				if (take_unit(l, &die, lines, count) < 0)
					return -1;
			}
			if (in)
				wm_inlines_take(in, &die);
		}
		*at = next;
	}
	return 1;
}

static int take_all(struct lines *l, struct wm_inlines *in)
{
	Dwarf_Off at = 0;
	Dwarf *dw;
	int more;

	do {
		dw = wm_dwarf_begin(l->twin->elf, l->twin->fd);
		if (!dw)
			break;
		more = take_units(l, in, dw, &at);
		if (in)
			wm_names_forget(&in->names);
		dwarf_end(dw);
		if (more < 0)
			return -1;
	} while (more);
	return 0;
}

int wm_census_lines(struct wm_census_model *model, const struct wm_image *twin,
		    bool with_inlines)
{
	struct lines l = { .rows = &model->lines,
			   .strings = &model->strings,
			   .twin = twin };
	struct wm_inlines in;
	int status;

	wm_inlines_init(&in, model, twin);
	status = take_all(&l, with_inlines ? &in : NULL);
	if (!status && with_inlines)
		status = wm_inlines_finish(&in);
	wm_inlines_release(&in);
	if (status < 0)
		return -1;
	sort_lines(l.rows);
	if (l.rows->count)
		model->debug |= WMC_DEBUG_LINES;
	return 0;
}
