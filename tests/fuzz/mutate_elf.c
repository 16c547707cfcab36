/* SPDX-License-Identifier: Apache-2.0 */
/* Changes that know what ELF files are made of. */
#include "tests/fuzz/fuzz.h"

#include <elf.h>
#include <string.h>

/* One number of the @count entries, each of @each bytes, at @at. */
static void change_entry(uint8_t *file, size_t size, uint64_t at,
			 uint64_t count, size_t each)
{
	uint64_t v = fuzz_number();
	size_t n = fuzz_below(3) ? 4 : 8;

	if (!count || at > size || (size - at) / each < count)
		return;
	at += fuzz_below(count * each / 4) * 4;
	if (at + n <= size)
		memcpy(file + at, &v, n);
}

/* Change the content of a section: symbols, relocations, or other numbers. */
static void change_content(uint8_t *file, size_t size, const Elf64_Ehdr *head)
{
	Elf64_Shdr s;
	size_t which, each;

	if (!head->e_shnum || head->e_shoff > size ||
	    (size - head->e_shoff) / sizeof(s) < head->e_shnum)
		return;
	which = fuzz_below(head->e_shnum);
	memcpy(&s, file + head->e_shoff + which * sizeof(s), sizeof(s));
	each = s.sh_type == SHT_RELA   ? sizeof(Elf64_Rela) :
	       s.sh_type == SHT_SYMTAB ? sizeof(Elf64_Sym) :
					 4;
	change_entry(file, size, s.sh_offset, s.sh_size / each, each);
}

static void change_elf(uint8_t *file, size_t size)
{
	Elf64_Ehdr head;

	memcpy(&head, file, sizeof(head));
	switch (fuzz_below(5)) {
	case 0:
		change_entry(file, size, 0, 1, sizeof(head));
		break;
	case 1:
		change_entry(file, size, head.e_phoff, head.e_phnum,
			     sizeof(Elf64_Phdr));
		break;
	case 2:
		change_content(file, size, &head);
		break;
	default:
		change_entry(file, size, head.e_shoff, head.e_shnum,
			     sizeof(Elf64_Shdr));
	}
}

size_t fuzz_mutate_elf(uint8_t *data, size_t size, size_t room, unsigned seed)
{
	fuzz_seed(seed);
	if (size < 1 + sizeof(Elf64_Ehdr) || !fuzz_below(3))
		return LLVMFuzzerMutate(data, size, room);
	if (!fuzz_below(4))
		data[0] = (uint8_t)fuzz_below(256);
	do
		change_elf(data + 1, size - 1);
	while (!fuzz_below(3));
	return size;
}
