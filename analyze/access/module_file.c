/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/module_file.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/base/plain.h"
#include "wm/regular.h"

/* Debug files on this machine; never asks a server. */
static char *debug_path = NULL;
static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_build_id_find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debug_path,
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

/*
 * The DWARF of @mod, of the file @path, names another file for what it has in
 * common with other programs (dwz), and that is there, but a pipe or a device:
 * libdw would open it.
 */
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

void wm_module_file_open(struct wm_module_file *f, const struct wm_module *m)
{
	char *path;
	int fd = -1;

	memset(f, 0, sizeof(*f));
	if (!m->path || m->path[0] != '/')
		return;
	path = strdup(m->path);
	if (path)
		fd = wm_regular_open(wm_unplain(path));
	f->dwfl = fd >= 0 ? dwfl_begin(&callbacks) : NULL;
	if (!f->dwfl) {
		if (fd >= 0)
			close(fd);
		free(path);
		return;
	}
	dwfl_report_begin(f->dwfl);
	f->mod = dwfl_report_offline(f->dwfl, "", path, fd);
	if (!f->mod)
		close(fd);
	dwfl_report_end(f->dwfl, NULL, NULL);
	if (f->mod && !dwfl_module_getelf(f->mod, &f->bias))
		f->mod = NULL;
	if (f->mod && !same_build(f->mod, m)) {
		f->mod = NULL;
		f->other = true;
	}
	f->no_dwarf = f->mod && common_is_no_file(f->mod, path);
	free(path);
}

void wm_module_file_release(struct wm_module_file *f)
{
	if (f->dwfl)
		dwfl_end(f->dwfl);
	memset(f, 0, sizeof(*f));
}
