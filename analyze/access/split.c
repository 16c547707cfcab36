/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/split.h"

#include <dwarf.h>
#include <elfutils/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wm/regular.h"

/* libdw keeps each open, with a descriptor. */
#define OPEN_AT_ONCE 200

static const char *text_of(Dwarf_Die *unit, unsigned name)
{
	Dwarf_Attribute a;

	return dwarf_formstring(dwarf_attr(unit, name, &a));
}

/* NULL: @unit has all of it. */
static const char *split_name(Dwarf_Die *unit)
{
	const char *name = text_of(unit, DW_AT_dwo_name);

	return name ? name : text_of(unit, DW_AT_GNU_dwo_name);
}

static const char *file_of(const struct wm_module_file *f)
{
	return f->debug ? f->debug : f->path;
}

static bool is_file(const char *folder, size_t length, const char *name)
{
	char *path = NULL;
	int fd = -1;

	if (asprintf(&path, "%.*s%s", *name == '/' ? 0 : (int)length, folder,
		     name) >= 0)
		fd = wm_regular_open(path);
	if (fd >= 0)
		close(fd);
	free(path);
	return fd >= 0;
}

/* In the places where libdw looks. */
static bool is_there(const struct wm_module_file *f, Dwarf_Die *unit)
{
	const char *made = text_of(unit, DW_AT_comp_dir), *own = file_of(f);
	const char *name = split_name(unit), *slash = strrchr(own, '/');
	char *folder = NULL;
	bool is = is_file(own, slash ? (size_t)(slash + 1 - own) : 0, name);

	if (!is && made && asprintf(&folder, "%s/", made) >= 0)
		is = is_file(folder, strlen(folder), name);
	free(folder);
	return is;
}

bool wm_split_open(Dwarf_Die *unit)
{
	Dwarf_Die split = { .addr = NULL };

	if (!split_name(unit))
		return true;
	/* in an archive of them (dwp) newer versions of libdw find it */
	if (dwarf_cu_info(unit->cu, NULL, NULL, NULL, &split, NULL, NULL,
			  NULL) ||
	    !split.addr)
		return false;
	*unit = split;
	return true;
}

/* "app.dwp" is there: so much for it. */
static char *archive_text(const struct wm_module_file *f)
{
	char *path = NULL, *text = NULL;

	if (asprintf(&path, "%s.dwp", file_of(f)) >= 0 &&
	    is_file("", 0, path) &&
	    asprintf(&text,
		     "'%s', which the elfutils of this wm-analyze (%d.%d) "
		     "cannot read: keep the .dwo files",
		     path, _ELFUTILS_VERSION / 1000,
		     _ELFUTILS_VERSION % 1000) < 0)
		text = NULL;
	free(path);
	return text;
}

size_t wm_split_missing(const struct wm_module_file *f, char **text)
{
	size_t count = 0, units = 0;
	char *first = NULL;
	Dwarf_Die *unit = NULL, copy;
	Dwarf_Addr bias;

	*text = NULL;
	if (!f->mod || f->no_dwarf)
		return 0;
	while ((unit = dwfl_module_nextcu(f->mod, unit, &bias))) {
		copy = *unit;
		if (!split_name(unit) ||
		    (units++ < OPEN_AT_ONCE ? wm_split_open(&copy) :
					      is_there(f, unit)))
			continue;
		if (!count++)
			first = strdup(split_name(unit));
	}
	if (count)
		*text = archive_text(f);
	if (first && !*text &&
	    asprintf(text,
		     "'%s'%s, which %s not where the compiler made %s, nor "
		     "beside the program",
		     first, count > 1 ? " and others" : "",
		     count > 1 ? "are" : "is", count > 1 ? "them" : "it") < 0)
		*text = NULL;
	free(first);
	return count;
}
