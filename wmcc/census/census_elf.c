/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/census/census_elf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "wm/census_format.h"
#include "input/regular.h"
#include "wm/search.h"
#include "wmcc/base/strv.h"

/* Returns whether a section has neither data nor code of the program. */
static bool is_table(const char *name)
{
	return wm_starts_any(name,
			     ".eh_frame .gcc_except_table .note .stapsdt") ||
	       !strcmp(name, ".interp");
}

/* Returns whether a section is only for the linker or the C library. */
static bool is_plumbing(const char *name)
{
	return wm_starts_any(name, ".got .plt .dynamic .init_array .fini_array "
				   ".preinit_array .ctors .dtors .jcr "
				   ".tm_clone_table __libc_");
}

/* docs/census-format.md, 3.2, defines the classes. */
static uint32_t classify_section(const GElf_Shdr *sh, const char *name,
				 const GElf_Phdr *relro)
{
	if (sh->sh_flags & SHF_TLS)
		return WMC_CLASS_TLS;
	if (sh->sh_flags & SHF_WRITE) {
		if (relro->p_memsz && sh->sh_addr >= relro->p_vaddr &&
		    sh->sh_addr + sh->sh_size <=
			    relro->p_vaddr + relro->p_memsz)
			return WMC_CLASS_RELRO;
		if (is_plumbing(name))
			return WMC_CLASS_OTHER;
		return sh->sh_type == SHT_NOBITS ? WMC_CLASS_BSS :
						   WMC_CLASS_DATA;
	}
	if (sh->sh_flags & SHF_EXECINSTR || sh->sh_type != SHT_PROGBITS ||
	    is_table(name))
		return WMC_CLASS_OTHER;
	return WMC_CLASS_RODATA;
}

static const char *read_sections(struct wm_image *im, const GElf_Phdr *relro)
{
	struct wm_image_section *s;
	uint64_t sum = 0, end;
	Elf_Scn *scn = NULL;
	const char *name;
	size_t names;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(im->elf, &names) < 0)
		return NULL;
	while ((scn = elf_nextscn(im->elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_ALLOC))
			continue;
		if (__builtin_add_overflow(sh.sh_addr, sh.sh_size, &end) ||
		    __builtin_add_overflow(sum, sh.sh_size, &sum))
			return "sections larger than any memory";
		name = elf_strptr(im->elf, names, sh.sh_name);
		s = wm_vec_add(&im->sections);
		if (!s)
			return "out of memory";
		s->name = name ? name : "";
		s->index = (uint32_t)elf_ndxscn(scn);
		s->address = sh.sh_addr;
		s->bytes = sh.sh_size;
		s->class = classify_section(&sh, s->name, relro);
		s->code = (sh.sh_flags & SHF_EXECINSTR) != 0;
	}
	return NULL;
}

static void read_segments(struct wm_image *im, GElf_Phdr *relro)
{
	size_t i, n;
	GElf_Phdr ph;

	memset(relro, 0, sizeof(*relro));
	if (elf_getphdrnum(im->elf, &n) < 0)
		return;
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(im->elf, (int)i, &ph))
			continue;
		if (ph.p_type == PT_GNU_RELRO)
			*relro = ph;
		else if (ph.p_type == PT_TLS)
			im->tls_address = ph.p_vaddr;
	}
}

int wm_image_open(struct wm_image *im, const char *path, char *err, size_t size)
{
	const char *wrong;
	GElf_Phdr relro;
	GElf_Ehdr eh;

	memset(im, 0, sizeof(*im));
	im->sections.item = sizeof(struct wm_image_section);
	elf_version(EV_CURRENT);
	im->fd = wm_regular_open(path);
	if (im->fd < 0) {
		snprintf(err, size, "'%s': %s", path,
			 errno == EINVAL ? "not a regular file" :
					   strerror(errno));
		return -1;
	}
	im->elf = elf_begin(im->fd, ELF_C_READ_MMAP, NULL);
	if (!im->elf || elf_kind(im->elf) != ELF_K_ELF ||
	    !gelf_getehdr(im->elf, &eh) ||
	    (eh.e_type != ET_EXEC && eh.e_type != ET_DYN)) {
		snprintf(err, size, "'%s': not an ELF executable", path);
		wm_image_close(im);
		return -1;
	}
	read_segments(im, &relro);
	wrong = read_sections(im, &relro);
	if (wrong) {
		snprintf(err, size, "'%s': %s", path, wrong);
		wm_image_close(im);
		return -1;
	}
	return 0;
}

void wm_image_close(struct wm_image *im)
{
	wm_vec_release(&im->sections);
	if (im->elf)
		elf_end(im->elf);
	im->elf = NULL;
	if (im->fd >= 0)
		close(im->fd);
	im->fd = -1;
}

const struct wm_image_section *wm_image_section(const struct wm_image *im,
						uint32_t index)
{
	const struct wm_image_section *s = im->sections.items;
	size_t at = WM_FIRST(i, im->sections.count, s[i].index >= index);

	return at < im->sections.count && s[at].index == index ? s + at : NULL;
}

const struct wm_image_section *wm_image_code_at(const struct wm_image *im,
						uint64_t address)
{
	const struct wm_image_section *s = im->sections.items;

	for (size_t i = 0; i < im->sections.count; i++, s++)
		if (s->code && address >= s->address &&
		    address - s->address < s->bytes)
			return s;
	return NULL;
}

/* Returns the symbol table, or else the dynamic one.  Stores its extended
 * indices, or NULL. */
static Elf_Scn *find_symbols(Elf *elf, GElf_Shdr *sh, Elf_Data **extended)
{
	Elf_Scn *scn = NULL, *found = NULL;
	GElf_Shdr h;

	*extended = NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &h))
			continue;
		if (h.sh_type == SHT_SYMTAB ||
		    (h.sh_type == SHT_DYNSYM && !found)) {
			found = scn;
			*sh = h;
		}
	}
	scn = NULL;
	while (found && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &h) && h.sh_type == SHT_SYMTAB_SHNDX &&
		    h.sh_link == elf_ndxscn(found))
			*extended = elf_getdata(scn, NULL);
	return found;
}

static bool is_wanted(const struct wm_image *im, const GElf_Sym *sym,
		      uint32_t section, bool code)
{
	const struct wm_image_section *s = wm_image_section(im, section);
	int type = GELF_ST_TYPE(sym->st_info);

	if (!s || type == STT_SECTION || s->code != code)
		return false;
	if (code)
		return type == STT_FUNC || type == STT_GNU_IFUNC ||
		       type == STT_NOTYPE;
	return sym->st_size > 0 && s->class != WMC_CLASS_OTHER;
}

int wm_image_symbols(const struct wm_image *im, bool code,
		     struct wm_vec *symbols)
{
	const char *name, *file = NULL;
	Elf_Data *data, *extended;
	struct wm_elf_symbol *out;
	uint32_t section;
	GElf_Shdr sh;
	GElf_Sym sym;
	Elf_Scn *scn;
	uint32_t file_number = 0;
	int i, n;

	memset(&sh, 0, sizeof(sh));
	scn = find_symbols(im->elf, &sh, &extended);
	data = scn ? elf_getdata(scn, NULL) : NULL;
	if (!data || !sh.sh_entsize)
		return 0;
	n = (int)(data->d_size / sh.sh_entsize);
	for (i = 1; i < n; i++) {
		if (!gelf_getsymshndx(data, extended, i, &sym, &section))
			continue;
		if (sym.st_shndx != SHN_XINDEX)
			section = sym.st_shndx;
		if (sym.st_shndx == SHN_UNDEF)
			continue;
		name = elf_strptr(im->elf, sh.sh_link, sym.st_name);
		if (GELF_ST_TYPE(sym.st_info) == STT_FILE) {
			file = name && *name ? name : NULL;
			file_number = (uint32_t)i;
			continue;
		}
		if (!name || !*name || !is_wanted(im, &sym, section, code))
			continue;
		out = wm_vec_add(symbols);
		if (!out)
			return -1;
		out->name = name;
		out->bind = GELF_ST_BIND(sym.st_info);
		out->type = GELF_ST_TYPE(sym.st_info);
		/* hidden symbols were global, and follow those of all files */
		out->file = out->bind == STB_LOCAL &&
					    GELF_ST_VISIBILITY(sym.st_other) ==
						    STV_DEFAULT ?
				    file :
				    NULL;
		out->file_number = file_number;
		out->bytes = sym.st_size;
		out->section = section;
		out->address = sym.st_value;
		if (out->type == STT_TLS)
			out->address += im->tls_address;
	}
	return 0;
}

/* Returns the size of the build-id, or 0.  Linkers do not pad the last note,
 * and libelf would take a note of 5 bytes for truncated
 * (-Wl,--build-id=0x0123456789). */
static size_t build_id_in(const Elf_Data *data, uint8_t *id, size_t size)
{
	const uint8_t *p = data->d_buf;
	size_t left = data->d_size, bytes;
	Elf64_Nhdr h; /* Elf32_Nhdr is the same */

	while (p && left >= sizeof(h)) {
		memcpy(&h, p, sizeof(h));
		bytes = sizeof(h) + (((size_t)h.n_namesz + 3) & ~(size_t)3);
		if (bytes > left || h.n_descsz > left - bytes)
			return 0;
		if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 &&
		    !memcmp(p + sizeof(h), "GNU", 4)) {
			if (h.n_descsz <= size)
				memcpy(id, p + bytes, h.n_descsz);
			return h.n_descsz;
		}
		bytes += ((size_t)h.n_descsz + 3) & ~(size_t)3;
		if (bytes > left)
			return 0;
		p += bytes;
		left -= bytes;
	}
	return 0;
}

size_t wm_image_build_id(const struct wm_image *im, uint8_t *id, size_t size)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(im->elf, scn))) {
		const Elf_Data *data;
		size_t n;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_NOTE)
			continue;
		data = elf_rawdata(scn, NULL);
		n = data ? build_id_in(data, id, size) : 0;
		if (n)
			return n;
	}
	return 0;
}

int wm_symbol_compare(const void *pa, const void *pb)
{
	const struct wm_elf_symbol *a = pa, *b = pb;

	return WM_KEYS(WM_ORDER(a->section, b->section),
		       WM_ORDER(a->address, b->address),
		       WM_ORDER(b->bytes, a->bytes),
		       WM_ORDER(a->type == STT_NOTYPE, b->type == STT_NOTYPE),
		       WM_ORDER(a->bind == STB_LOCAL, b->bind == STB_LOCAL),
		       WM_ORDER(strspn(a->name, "_"), strspn(b->name, "_")),
		       WM_ORDER(a->bind == STB_WEAK, b->bind == STB_WEAK),
		       WM_ORDER(strlen(a->name), strlen(b->name)),
		       strcmp(a->name, b->name));
}
