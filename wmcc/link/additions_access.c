/* SPDX-License-Identifier: Apache-2.0 */
/* Adds the parts of a link that only a program with access hooks needs. */
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wm/mpi_list.h"

#include "wmcc/base/home.h"
#include "wmcc/link/twin.h"

/* Wraps each function X for which the object has a __wrap_X. */
static void add_wraps(struct wm_additions *add, Elf *elf, Elf_Scn *scn)
{
	static const char wrap[] = "__wrap_";
	Elf_Data *data = elf_getdata(scn, NULL);
	const char *name;
	GElf_Shdr sh;
	GElf_Sym sym;

	if (!data || !gelf_getshdr(scn, &sh) || sh.sh_type != SHT_SYMTAB)
		return;
	for (int i = 0; gelf_getsym(data, i, &sym); i++) {
		name = elf_strptr(elf, sh.sh_link, sym.st_name);
		if (name && sym.st_shndx != SHN_UNDEF &&
		    GELF_ST_BIND(sym.st_info) != STB_LOCAL &&
		    wm_starts(name, wrap))
			wm_strv_addf(&add->first, "--wrap=%s",
				     name + strlen(wrap));
	}
}

static void read_wraps(struct wm_additions *add, int fd)
{
	Elf *elf = elf_version(EV_CURRENT) == EV_NONE ?
			   NULL :
			   elf_begin(fd, ELF_C_READ_MMAP, NULL);
	Elf_Scn *scn = NULL;

	while (elf && (scn = elf_nextscn(elf, scn)))
		add_wraps(add, elf, scn);
	elf_end(elf);
}

/* Asks for the functions of MPI that the runtime calls about buffers, as no
 * other reference may pull them from their archives.  The linker ignores names
 * that no archive has. */
static void add_mpi(struct wm_additions *add, const struct wm_program_info *o)
{
#define ASKED(name, lower) "PMPI_" #name, "pmpi_" #lower "_",
	static const char *const asked[] = { WM_MPI_ASKED(ASKED) };

	if (!o->is_static || o->mpi == WM_MPI_NONE)
		return;
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		if (asked[i][0] == 'p' && !o->mpi_fortran)
			continue;
		wm_additions_ask(add, asked[i]);
	}
}

const char *wm_additions_access(struct wm_additions *add,
				const struct wm_program_info *o)
{
	char *path = wm_strf("%s/wm-access-%s.o", wm_home()->lib,
			     o->is_static ? "static" : "dynamic");
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		wm_strv_add(&add->first, path);
		read_wraps(add, fd);
		close(fd);
	}
	free(path);
	if (fd < 0)
		return "the runtime is not installed beside wmcc";
	add_mpi(add, o);
	/* libgfortran and libgomp call it by a weak reference */
	if (o->is_static)
		wm_additions_ask(add, "pthread_mutex_destroy");
	return NULL;
}
