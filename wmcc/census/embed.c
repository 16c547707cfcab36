/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Appends the new section and longer tables of section names and headers, and
 * then changes the ELF header, which is the only write that changes the
 * program.  The old tables stay in the file unused. objcopy --add-section would
 * write the file anew, and would change the layout of other linkers' output.
 */
#include "wmcc/census/embed.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wmcc/base/file.h"

#define ALIGN 16

struct target {
	int fd;
	uint64_t size; /* of the file before the change */
	uint64_t end; /* of the file now */
	Elf64_Ehdr eh;
	Elf64_Shdr *sections;
	size_t count;
	size_t names; /* number of the section of names */
	char *name_table;
};

static int read_at(const struct target *t, void *p, uint64_t n, uint64_t at)
{
	if (at > t->size || n > t->size - at ||
	    lseek(t->fd, (off_t)at, SEEK_SET) < 0)
		return -1;
	return wm_read_all(t->fd, p, n) == n ? 0 : -1;
}

static int write_at(const struct target *t, const void *p, uint64_t n,
		    uint64_t at)
{
	if (lseek(t->fd, (off_t)at, SEEK_SET) < 0)
		return -1;
	return wm_write_all(t->fd, p, n) ? 0 : -1;
}

static int append_aligned(struct target *t, const void *p, uint64_t n,
			  uint64_t *at)
{
	*at = (t->end + ALIGN - 1) & ~(uint64_t)(ALIGN - 1);
	t->end = *at + n;
	return write_at(t, p, n, *at);
}

static const char *open_target(struct target *t, const char *path, int flags)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	static const char ident[] = { 0x7f, 'E',	'L',
				      'F',  ELFCLASS64, ELFDATA2LSB };
#else
	static const char ident[] = { 0x7f, 'E',	'L',
				      'F',  ELFCLASS64, ELFDATA2MSB };
#endif
	struct stat st;

	/* does not wait for the writer of a FIFO */
	t->fd = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (t->fd < 0 || fstat(t->fd, &st) < 0)
		return strerror(errno);
	t->size = t->end = (uint64_t)st.st_size;
	if (!S_ISREG(st.st_mode) || read_at(t, &t->eh, sizeof(t->eh), 0) < 0 ||
	    memcmp(t->eh.e_ident, ident, sizeof(ident)) != 0)
		return "not a 64-bit ELF file of this machine's byte order";
	return NULL;
}

static const char *read_sections(struct target *t)
{
	static const char bad[] = "bad section headers";
	Elf64_Shdr first, *names;

	if (!t->eh.e_shoff || t->eh.e_shentsize != sizeof(first) ||
	    read_at(t, &first, sizeof(first), t->eh.e_shoff) < 0)
		return "no section headers";
	t->count = t->eh.e_shnum ? t->eh.e_shnum : first.sh_size;
	t->names = t->eh.e_shstrndx == SHN_XINDEX ? first.sh_link :
						    t->eh.e_shstrndx;
	if (t->count > t->size / sizeof(first) || t->names >= t->count ||
	    !t->names)
		return bad;
	/* with space for one more */
	t->sections = calloc(t->count + 1, sizeof(first));
	if (!t->sections)
		return strerror(ENOMEM);
	if (read_at(t, t->sections, t->count * sizeof(first), t->eh.e_shoff) <
	    0)
		return bad;
	names = &t->sections[t->names];
	if (names->sh_type != SHT_STRTAB || names->sh_size > t->size)
		return bad;
	t->name_table = malloc(names->sh_size + 1);
	if (!t->name_table)
		return strerror(ENOMEM);
	t->name_table[names->sh_size] = '\0';
	if (read_at(t, t->name_table, names->sh_size, names->sh_offset) < 0)
		return bad;
	return NULL;
}

static Elf64_Shdr *find_section(const struct target *t, const char *name)
{
	uint64_t names = t->sections[t->names].sh_size;

	for (size_t i = 1; i < t->count; i++)
		if (t->sections[i].sh_name < names &&
		    !strcmp(t->name_table + t->sections[i].sh_name, name))
			return &t->sections[i];
	return NULL;
}

/* Adds the header of section @name if it is missing.  Returns NULL on
 * failure. */
static Elf64_Shdr *section_header(struct target *t, const char *name)
{
	Elf64_Shdr *names = &t->sections[t->names], *s;
	uint64_t old = names->sh_size;
	size_t n = strlen(name) + 1;
	char *table;

	s = find_section(t, name);
	if (s)
		return s;
	table = realloc(t->name_table, old + n);
	if (!table || old + n > UINT32_MAX)
		return NULL;
	memcpy(table + old, name, n);
	t->name_table = table;
	if (append_aligned(t, table, old + n, &names->sh_offset) < 0)
		return NULL;
	names->sh_size = old + n;
	s = &t->sections[t->count++];
	memset(s, 0, sizeof(*s));
	s->sh_name = (Elf64_Word)old;
	return s;
}

static const char *add_section(struct target *t, const char *name,
			       const void *data, size_t size)
{
	Elf64_Shdr *s;

	errno = ENOMEM;
	s = section_header(t, name);
	if (!s || append_aligned(t, data, size, &s->sh_offset) < 0)
		return strerror(errno);
	s->sh_type = SHT_PROGBITS;
	s->sh_flags = 0;
	s->sh_addr = 0;
	s->sh_size = size;
	s->sh_addralign = 1;
	if (t->count < SHN_LORESERVE) {
		t->eh.e_shnum = (Elf64_Half)t->count;
	} else {
		t->eh.e_shnum = 0;
		t->sections[0].sh_size = t->count;
	}
	if (append_aligned(t, t->sections, t->count * sizeof(*s),
			   &t->eh.e_shoff) < 0 ||
	    write_at(t, &t->eh, sizeof(t->eh), 0) < 0)
		return strerror(errno);
	return NULL;
}

int wm_embed_section(const char *path, const char *name, const void *data,
		     size_t size, char *err, size_t err_size)
{
	struct target t;
	const char *why;

	memset(&t, 0, sizeof(t));
	why = open_target(&t, path, O_RDWR);
	if (!why)
		why = read_sections(&t);
	if (!why)
		why = add_section(&t, name, data, size);
	if (why) {
		snprintf(err, err_size, "'%s': %s", path, why);
		if (t.end != t.size && ftruncate(t.fd, (off_t)t.size) < 0)
			snprintf(err, err_size, "'%s': %s", path,
				 strerror(errno));
	}
	if (t.fd >= 0 && close(t.fd) < 0 && !why) {
		why = strerror(errno);
		snprintf(err, err_size, "'%s': %s", path, why);
	}
	free(t.sections);
	free(t.name_table);
	return why ? -1 : 0;
}

bool wm_embed_read(const char *path, const char *name, char **text, size_t most)
{
	const Elf64_Shdr *s = NULL;
	struct target t;
	bool found;

	*text = NULL;
	memset(&t, 0, sizeof(t));
	if (!open_target(&t, path, O_RDONLY) && !read_sections(&t))
		s = find_section(&t, name);
	found = s && s->sh_type == SHT_PROGBITS;
	if (found && s->sh_size <= most) {
		*text = calloc(1, s->sh_size + 1);
		found = *text && !read_at(&t, *text, s->sh_size, s->sh_offset);
	}
	if (t.fd >= 0)
		close(t.fd);
	free(t.sections);
	free(t.name_table);
	return found;
}
