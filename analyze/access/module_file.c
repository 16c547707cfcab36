/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/module_file.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/regular.h"

static int find_no_elf(Dwfl_Module *mod, void **userdata, const char *modname,
		       Dwarf_Addr base, char **path, Elf **elf)
{
	(void)mod;
	(void)userdata;
	(void)modname;
	(void)base;
	(void)path;
	(void)elf;
	return -1; /* it is already open */
}

/* Finds the file with parts of the DWARF of several programs (dwz). */
static int find_common(Dwfl_Module *mod, const struct wm_module_file *f,
		       char **path)
{
	Dwarf_Addr bias;
	Dwarf *dw = dwfl_module_getdwarf(mod, &bias);
	const char *name;
	const void *id;
	ssize_t n = dw ? dwelf_dwarf_gnu_debugaltlink(dw, &name, &id) : -1;

	return n > 0 ? wm_places_common(f->debug ? f->debug : f->path, name, id,
					(size_t)n, path) :
		       -1;
}

/* libdwfl calls this for the debug information of @mod, and for the file of
 * find_common(); only the link distinguishes both requests. */
static int find_debug(Dwfl_Module *mod, void **userdata, const char *modname,
		      Dwarf_Addr base, const char *file, const char *link,
		      GElf_Word crc, char **path)
{
	struct wm_module_file *f = *userdata;
	int fd;

	(void)modname;
	(void)base;
	(void)file;
	*path = NULL;
	if (!f || !f->module)
		return -1;
	if (link && (!f->link.name || strcmp(link, f->link.name) != 0 ||
		     crc != f->link.crc))
		return find_common(mod, f, path);
	if (f->asked)
		return -1;
	f->asked = true;
	fd = wm_places_debug(f->module, &f->link, path, &f->why);
	if (fd >= 0)
		f->debug = strdup(*path);
	return fd;
}

/* libdwfl's own search may open a pipe, and may ask a server. */
static const Dwfl_Callbacks callbacks = {
	.find_elf = find_no_elf,
	.find_debuginfo = find_debug,
	.section_address = dwfl_offline_section_address,
};

static bool same_build(Dwfl_Module *mod, const struct wm_module *m)
{
	const unsigned char *id = NULL;
	GElf_Addr where;
	int n = dwfl_module_build_id(mod, &id, &where);

	if (n < 0)
		n = 0;
	return (size_t)n == m->build_id_size &&
	       (!n || memcmp(id, m->build_id, (size_t)n) == 0);
}

/* Returns whether parts of the DWARF of @mod, from file @path, are in another
 * file (dwz) that is a pipe or a device, which libdw would open. */
static bool common_is_no_file(Dwfl_Module *mod, const char *path)
{
	const char *name, *slash = strrchr(path, '/');
	const void *id;
	char *beside = NULL;
	Dwarf_Addr bias;
	Dwarf *dw = dwfl_module_getdwarf(mod, &bias);
	int fd;
	bool bad;

	if (!dw || dwelf_dwarf_gnu_debugaltlink(dw, &name, &id) <= 0)
		return false;
	if (*name != '/' && slash &&
	    asprintf(&beside, "%.*s/%s", (int)(slash - path), path, name) < 0)
		return true;
	fd = wm_regular_open(beside ? beside : name);
	bad = fd < 0 && errno != ENOENT;
	if (fd >= 0)
		close(fd);
	free(beside);
	return bad;
}

static void report_file(struct wm_module_file *f, int fd)
{
	GElf_Word crc = 0;
	void **userdata;
	Elf *elf = NULL;

	dwfl_report_begin(f->dwfl);
	f->mod = dwfl_report_offline(f->dwfl, "", f->path, fd);
	if (!f->mod)
		close(fd);
	dwfl_report_end(f->dwfl, NULL, NULL);
	if (f->mod && !(elf = dwfl_module_getelf(f->mod, &f->bias)))
		f->mod = NULL;
	if (!f->mod)
		return;
	dwfl_module_info(f->mod, &userdata, NULL, NULL, NULL, NULL, NULL, NULL);
	*userdata = f;
	f->link.main = f->path;
	f->link.name = dwelf_elf_gnu_debuglink(elf, &crc);
	f->link.crc = crc;
}

/* Called now because the trace's module may be gone later. */
static void find_names(struct wm_module_file *f)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(f->mod, &bias);

	dwfl_module_getsymtab(f->mod);
	f->no_dwarf = common_is_no_file(f->mod, f->debug ? f->debug : f->path);
	f->stripped = !f->debug && !wm_places_tells(elf);
}

void wm_module_file_open(struct wm_module_file *f, const struct wm_module *m)
{
	struct wm_place place;

	memset(f, 0, sizeof(*f));
	if (!m->path || m->path[0] != '/')
		return;
	wm_places_find(&place, m);
	f->other = place.fd < 0 && place.other;
	if (place.fd < 0)
		return;
	f->path = place.path;
	f->insisted = place.insisted;
	f->elsewhere = place.elsewhere;
	f->module = m;
	f->dwfl = f->path ? dwfl_begin(&callbacks) : NULL;
	if (f->dwfl)
		report_file(f, place.fd);
	else
		close(place.fd);
	if (f->mod && !f->insisted && !same_build(f->mod, m)) {
		f->mod = NULL;
		f->other = true;
	}
	if (f->mod)
		find_names(f);
	f->module = NULL;
}

void wm_module_file_release(struct wm_module_file *f)
{
	if (f->dwfl)
		dwfl_end(f->dwfl);
	free(f->path);
	free(f->debug);
	free(f->why);
	memset(f, 0, sizeof(*f));
}

bool wm_module_is_by(const struct wm_module *m, const char *compiler)
{
	struct wm_module_file f;
	Dwarf_Die *unit = NULL;
	Dwarf_Attribute a;
	Dwarf_Addr bias;
	bool is = false;

	wm_module_file_open(&f, m);
	while (f.mod && !is &&
	       (unit = dwfl_module_nextcu(f.mod, unit, &bias))) {
		const char *by = dwarf_formstring(
			dwarf_attr(unit, DW_AT_producer, &a));

		is = by && strstr(by, compiler);
	}
	wm_module_file_release(&f);
	return is;
}
