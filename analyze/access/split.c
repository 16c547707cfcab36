/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/split.h"

#include <dwarf.h>
#include <elfutils/version.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/regular.h"

/* libdw keeps a descriptor of each file. */
#define OPEN_AT_ONCE 200

static const char *text_of(Dwarf_Die *unit, unsigned name)
{
	Dwarf_Attribute a;

	return dwarf_formstring(dwarf_attr(unit, name, &a));
}

/* Returns NULL if all of @unit is in the file. */
static const char *split_name(Dwarf_Die *unit)
{
	const char *name = text_of(unit, DW_AT_dwo_name);

	return name ? name : text_of(unit, DW_AT_GNU_dwo_name);
}

static const char *file_of(const struct wm_module_file *f)
{
	return f->debug ? f->debug : f->path;
}

/* NO_FILE is a pipe or a device, which libdw would open, too. */
enum place { NOTHING, A_FILE, NO_FILE };

static enum place look(const char *folder, size_t length, const char *name)
{
	char *path = NULL;
	int fd = -1;
	enum place p = NOTHING;

	errno = 0;
	if (asprintf(&path, "%.*s%s", *name == '/' ? 0 : (int)length, folder,
		     name) >= 0)
		fd = wm_regular_open(path);
	if (fd >= 0)
		p = A_FILE;
	else if (errno == EINVAL)
		p = NO_FILE;
	if (fd >= 0)
		close(fd);
	free(path);
	return p;
}

/* Looks in both places because libdw tries both if a file does not match. */
static enum place look_for(const struct wm_module_file *f, Dwarf_Die *unit)
{
	const char *made = text_of(unit, DW_AT_comp_dir);
	const char *name = split_name(unit);
	char *own = realpath(file_of(f), NULL), *folder = NULL;
	const char *slash = own ? strrchr(own, '/') : NULL;
	enum place beside = NOTHING, there = NOTHING;

	if (slash)
		beside = look(own, (size_t)(slash + 1 - own), name);
	if (made && asprintf(&folder, "%s/", made) >= 0)
		there = look(folder, strlen(folder), name);
	free(folder);
	free(own);
	return beside > there ? beside : there;
}

bool wm_split_open(const struct wm_module_file *f, Dwarf_Die *unit)
{
	Dwarf_Die split = { .addr = NULL };

	if (!split_name(unit))
		return true;
	if (look_for(f, unit) == NO_FILE)
		return false;
	/* newer versions of libdw also read archives (dwp) */
	if (dwarf_cu_info(unit->cu, NULL, NULL, NULL, &split, NULL, NULL,
			  NULL) ||
	    !split.addr)
		return false;
	*unit = split;
	return true;
}

/* Returns a text about "app.dwp" if that exists. */
static char *archive_text(const struct wm_module_file *f)
{
	char *path = NULL, *text = NULL;

	if (asprintf(&path, "%s.dwp", file_of(f)) >= 0 &&
	    look("", 0, path) == A_FILE &&
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
		    (units++ < OPEN_AT_ONCE ? wm_split_open(f, &copy) :
					      look_for(f, unit) == A_FILE))
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
