/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/tools/fixture.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
	SEC_NULL,
	SEC_TEXT,
	SEC_NOTE,
	SEC_SYMTAB,
	SEC_STRTAB,
	SEC_SHSTRTAB,
	SECTIONS
};

static const char section_names[] =
	"\0.text\0.note.gnu.build-id\0.symtab\0.strtab\0.shstrtab";

static void put_note(struct fix_bytes *b, const uint8_t *id, size_t n)
{
	Elf64_Nhdr h = { 4, (Elf64_Word)n, NT_GNU_BUILD_ID };

	fix_put(b, &h, sizeof(h));
	fix_put(b, "GNU", 4);
	fix_put(b, id, n);
	while (b->n % 8)
		fix_put(b, "", 1);
}

static void put_symbols(struct fix_bytes *symtab, struct fix_bytes *strtab,
			const struct fix_symbol *sym, size_t n)
{
	Elf64_Sym s = { 0 };

	fix_put(symtab, &s, sizeof(s));
	fix_put(strtab, "", 1);
	for (; n--; sym++) {
		s.st_name = (Elf64_Word)strtab->n;
		s.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
		s.st_shndx = SEC_TEXT;
		s.st_value = sym->addr;
		s.st_size = sym->size;
		fix_put(symtab, &s, sizeof(s));
		fix_put(strtab, sym->name, strlen(sym->name) + 1);
	}
}

static void put_sections(struct fix_bytes *f, Elf64_Shdr *sh, uint64_t base,
			 uint64_t size, const struct fix_bytes data[SECTIONS])
{
	static const Elf64_Word type[SECTIONS] = {
		SHT_NULL,   SHT_NOBITS, SHT_NOTE,
		SHT_SYMTAB, SHT_STRTAB, SHT_STRTAB,
	};
	static const Elf64_Word name[SECTIONS] = { 0, 1, 7, 26, 34, 42 };
	int i;

	memset(sh, 0, SECTIONS * sizeof(*sh));
	for (i = 1; i < SECTIONS; i++) {
		sh[i].sh_name = name[i];
		sh[i].sh_type = type[i];
		sh[i].sh_offset = f->n;
		sh[i].sh_size = data[i].n;
		sh[i].sh_addralign = 8;
		fix_put(f, data[i].p, data[i].n);
		while (f->n % 8)
			fix_put(f, "", 1);
	}
	sh[SEC_TEXT].sh_addr = base;
	sh[SEC_TEXT].sh_size = size;
	sh[SEC_TEXT].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	sh[SEC_NOTE].sh_addr = base - 0x1000;
	sh[SEC_NOTE].sh_flags = SHF_ALLOC;
	sh[SEC_SYMTAB].sh_link = SEC_STRTAB;
	sh[SEC_SYMTAB].sh_entsize = sizeof(Elf64_Sym);
	sh[SEC_SYMTAB].sh_info = 1;
}

static void fill_headers(Elf64_Ehdr *eh, Elf64_Phdr ph[2], const Elf64_Shdr *sh,
			 uint64_t base, uint64_t size)
{
	memcpy(eh->e_ident, ELFMAG, SELFMAG);
	eh->e_ident[EI_CLASS] = ELFCLASS64;
	eh->e_ident[EI_DATA] = ELFDATA2LSB;
	eh->e_ident[EI_VERSION] = EV_CURRENT;
	eh->e_type = ET_EXEC;
	eh->e_machine = EM_X86_64;
	eh->e_version = EV_CURRENT;
	eh->e_entry = base;
	eh->e_phoff = sizeof(*eh);
	eh->e_ehsize = sizeof(*eh);
	eh->e_phentsize = sizeof(*ph);
	eh->e_phnum = 2;
	eh->e_shentsize = sizeof(*sh);
	eh->e_shnum = SECTIONS;
	eh->e_shstrndx = SEC_SHSTRTAB;
	ph[0] = (Elf64_Phdr){ .p_type = PT_LOAD,
			      .p_flags = PF_R | PF_X,
			      .p_vaddr = base,
			      .p_paddr = base,
			      .p_memsz = size,
			      .p_align = 0x1000 };
	ph[1] = (Elf64_Phdr){ .p_type = PT_NOTE,
			      .p_flags = PF_R,
			      .p_offset = sh[SEC_NOTE].sh_offset,
			      .p_vaddr = base - 0x1000,
			      .p_filesz = sh[SEC_NOTE].sh_size,
			      .p_memsz = sh[SEC_NOTE].sh_size,
			      .p_align = 4 };
}

void fix_elf_write(const char *path, uint64_t base, uint64_t size,
		   const struct fix_symbol *sym, size_t n, const uint8_t *id,
		   size_t id_size)
{
	struct fix_bytes data[SECTIONS] = { 0 }, f = { 0 };
	Elf64_Shdr sh[SECTIONS];
	Elf64_Ehdr eh = { 0 };
	Elf64_Phdr ph[2];
	FILE *out = fopen(path, "w");
	int i;

	if (!out)
		fix_die("%s: cannot be written", path);
	put_note(&data[SEC_NOTE], id, id_size);
	put_symbols(&data[SEC_SYMTAB], &data[SEC_STRTAB], sym, n);
	fix_put(&data[SEC_SHSTRTAB], section_names, sizeof(section_names));
	fix_put(&f, &eh, sizeof(eh));
	fix_put(&f, memset(ph, 0, sizeof(ph)), sizeof(ph));
	put_sections(&f, sh, base, size, data);
	fill_headers(&eh, ph, sh, base, size);
	eh.e_shoff = f.n;
	memcpy(f.p, &eh, sizeof(eh));
	memcpy(f.p + sizeof(eh), ph, sizeof(ph));
	fix_put(&f, sh, sizeof(sh));
	if (fwrite(f.p, 1, f.n, out) != f.n || fclose(out))
		fix_die("%s: write error", path);
	chmod(path, 0755);
	free(f.p);
	for (i = 0; i < SECTIONS; i++)
		free(data[i].p);
}
