/* SPDX-License-Identifier: Apache-2.0 */
/* Appends a larger symbol table to the file.  Each renamed function has a
 * second symbol with its own name, which pulls it from its archive as
 * before. */
#include "wmcc/access/hook_flags.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wm/block_list.h"
#include "wm/mpi_list.h"
#include "wmcc/base/file.h"

static const char *const blocks[] = {
#define NAME(name) #name,
	WM_BLOCK_LIST(NAME)
#define MPI_NAMES(name, lower)                                                 \
	"MPI_" #name, "mpi_" #lower "_", "mpi_" #lower "_f08_",                \
		"mpi_" #lower "_f08ts_",
		WM_MPI_LIST(MPI_NAMES)
#define MPI_LONG_NAMES(name, lower)                                            \
	"MPI_" #name "_c", "mpi_" #lower "_f08ts_large_",
			WM_MPI_COUNTED(MPI_LONG_NAMES)
};
#define BLOCKS (sizeof(blocks) / sizeof(*blocks))

struct object {
	char *bytes;
	size_t size;
	Elf64_Shdr *symtab, *strtab;
	/* extended section indexes; NULL with fewer than 65,280 sections */
	Elf64_Shdr *wide;
	/* the new tables */
	Elf64_Sym *sym;
	Elf64_Word *wide_index;
	size_t syms;
	char *names;
	size_t names_size;
};

static bool is_inside(const struct object *o, uint64_t at, uint64_t bytes)
{
	return at <= o->size && bytes <= o->size - at && at % 8 == 0;
}

static Elf64_Shdr *find_sections(const struct object *o, uint64_t *count)
{
	const Elf64_Ehdr *eh = (void *)o->bytes;
	Elf64_Shdr *sh;

	if (o->size < sizeof(*eh) ||
	    memcmp(eh->e_ident, ELFMAG, SELFMAG) != 0 ||
	    eh->e_ident[EI_CLASS] != ELFCLASS64 || eh->e_type != ET_REL ||
	    eh->e_shentsize != sizeof(*sh) ||
	    !is_inside(o, eh->e_shoff, sizeof(*sh)))
		return NULL;
	sh = (void *)(o->bytes + eh->e_shoff);
	/* a count too large for e_shnum is in the first header */
	*count = eh->e_shnum ? eh->e_shnum : sh->sh_size;
	return *count <= (o->size - eh->e_shoff) / sizeof(*sh) ? sh : NULL;
}

static bool find_tables(struct object *o)
{
	uint64_t count, i;
	Elf64_Shdr *sh = find_sections(o, &count);

	if (!sh)
		return false;
	for (i = 0; i < count; i++) {
		if (sh[i].sh_type == SHT_SYMTAB_SHNDX)
			o->wide = &sh[i];
		if (sh[i].sh_type == SHT_SYMTAB)
			o->symtab = &sh[i];
	}
	if (!o->symtab || o->symtab->sh_link >= count)
		return false;
	o->strtab = &sh[o->symtab->sh_link];
	return is_inside(o, o->symtab->sh_offset, o->symtab->sh_size) &&
	       (!o->wide || (o->wide->sh_offset <= o->size &&
			     o->wide->sh_size <= o->size - o->wide->sh_offset &&
			     o->wide->sh_size / sizeof(Elf64_Word) ==
				     o->symtab->sh_size / sizeof(Elf64_Sym))) &&
	       o->strtab->sh_offset <= o->size &&
	       o->strtab->sh_size <= o->size - o->strtab->sh_offset &&
	       o->strtab->sh_size &&
	       !o->bytes[o->strtab->sh_offset + o->strtab->sh_size - 1];
}

/* Returns the listed function to which @s refers, or NULL. .symver can ask for
 * "memcpy@GLIBC_2.2.5", which is memmove: some programs rely on that. */
static const char *find_block(const struct object *o, const Elf64_Sym *s)
{
	const char *name;
	size_t n;

	if (s->st_shndx != SHN_UNDEF || s->st_name >= o->strtab->sh_size ||
	    ELF64_ST_BIND(s->st_info) == STB_LOCAL)
		return NULL;
	name = o->names + s->st_name;
	n = strcspn(name, "@");
	if (name[n] && n == strlen("memcpy") && !memcmp(name, "memcpy", n))
		return "memmove";
	for (size_t i = 0; i < BLOCKS; i++)
		if (!strncmp(name, blocks[i], n) && !blocks[i][n])
			return blocks[i];
	return NULL;
}

/* Returns the number of renamed symbols, or -1 without memory. */
static long make_tables(struct object *o)
{
	size_t n = o->symtab->sh_size / sizeof(*o->sym);

	o->names_size = o->strtab->sh_size;
	o->sym = calloc(n + BLOCKS, sizeof(*o->sym));
	/* cppcheck-suppress sizeofDivisionMemfunc ; n is a number of symbols */
	o->names = calloc(1, o->names_size + BLOCKS * 64);
	o->wide_index = calloc(n + BLOCKS, sizeof(*o->wide_index));
	if (!o->sym || !o->names || !o->wide_index)
		return -1;
	/* added symbols are undefined, so their section index is 0 */
	if (o->wide)
		memcpy(o->wide_index, o->bytes + o->wide->sh_offset,
		       n * sizeof(*o->wide_index));
	memcpy(o->sym, o->bytes + o->symtab->sh_offset, n * sizeof(*o->sym));
	memcpy(o->names, o->bytes + o->strtab->sh_offset, o->names_size);
	o->syms = n;
	/* only one symbol refers to each name */
	for (size_t i = 0; i < n && o->syms < n + BLOCKS; i++) {
		const char *name = find_block(o, &o->sym[i]);
		char *ours = o->names + o->names_size;

		if (!name)
			continue;
		o->sym[o->syms++] = o->sym[i];
		o->sym[i].st_name = (Elf64_Word)o->names_size;
		strcpy(stpcpy(ours, WM_BLOCK_PREFIX), name);
		o->names_size += strlen(ours) + 1;
	}
	return (long)(o->syms - n);
}

static int write_tables(struct object *o, const char *path)
{
	static const char zero[8];
	size_t pad = -o->size & 7, syms = o->syms * sizeof(*o->sym);
	size_t wide = o->wide ? o->syms * sizeof(*o->wide_index) : 0;
	int fd, status;

	o->symtab->sh_offset = o->size + pad;
	o->symtab->sh_size = syms;
	if (o->wide) {
		o->wide->sh_offset = o->size + pad + syms;
		o->wide->sh_size = wide;
	}
	o->strtab->sh_offset = o->size + pad + syms + wide;
	o->strtab->sh_size = o->names_size;
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0)
		return -1;
	status = wm_write_all(fd, o->bytes, o->size) &&
				 wm_write_all(fd, zero, pad) &&
				 wm_write_all(fd, (char *)o->sym, syms) &&
				 wm_write_all(fd, (char *)o->wide_index,
					      wide) &&
				 wm_write_all(fd, o->names, o->names_size) ?
			 0 :
			 -1;
	return close(fd) ? -1 : status;
}

int wm_block_calls_rename(const char *path)
{
	struct object o = { 0 };
	int status = -1;
	long renamed;

	o.bytes = wm_file_load(path, WM_OBJECT_MAX, &o.size);
	if (o.bytes && !find_tables(&o)) {
		status = 1;
	} else if (o.bytes) {
		renamed = make_tables(&o);
		status = renamed > 0 ? write_tables(&o, path) : (int)renamed;
	}
	free(o.bytes);
	free(o.sym);
	free(o.wide_index);
	free(o.names);
	return status;
}
