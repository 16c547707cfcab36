/* SPDX-License-Identifier: Apache-2.0 */
/* Finds inlined calls in debug information. */
#include "wmcc/link/inner.h"

#include <dwarf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wmcc/census/census_names.h"
#include "wmcc/census/dwarf.h"

/* Only damaged input nests more deeply. */
#define MAX_DEPTH 512

struct question {
	const char *const *names;
	size_t n;
	bool found;
};

/* Bits of the child's exit status. */
#define KNOWN 1
#define INLINED 2
#define UNOPTIMIZED 4

static bool is_asked(const struct question *q, Dwarf_Die *die)
{
	const char *name = wm_dwarf_name(die);

	for (size_t i = 0; name && i < q->n; i++)
		if (!strcmp(name, q->names[i]))
			return true;
	return false;
}

/* @own is set inside a named function, where inlined calls do not count. */
static void look_below(struct question *q, Dwarf_Die *die, bool own,
		       size_t depth)
{
	Dwarf_Die child;

	if (depth > MAX_DEPTH || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);
		bool inner = own;

		if (tag == DW_TAG_subprogram)
			inner = is_asked(q, &child);
		else if (tag == DW_TAG_inlined_subroutine && !own)
			q->found |= is_asked(q, &child);
		look_below(q, &child, inner, depth + 1);
	} while (!q->found && !dwarf_siblingof(&child, &child));
}

/* gcc records its options, of which the last -O counts. */
static bool is_unoptimized(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;
	const char *text = NULL, *level = "0", *at;

	if (dwarf_attr(unit, DW_AT_producer, &attr))
		text = dwarf_formstring(&attr);
	if (!text || strncmp(text, "GNU ", 4) != 0)
		return false;
	for (at = text; (at = strstr(at, " -O")); at += 3)
		level = at + 3;
	return *level == '0';
}

/* clang writes no table of addresses. */
static bool find_unit(Dwarf *dw, uint64_t address, Dwarf_Die *unit)
{
	Dwarf_Off at = 0, next;
	size_t head;

	if (dwarf_addrdie(dw, address, unit))
		return true;
	for (; !dwarf_nextcu(dw, at, &next, &head, NULL, NULL, NULL); at = next)
		if (dwarf_offdie(dw, at + head, unit) &&
		    dwarf_haspc(unit, address) == 1)
			return true;
	return false;
}

static int look_at_units(const char *plain, const uint64_t *address,
			 struct question *q)
{
	int fd = open(plain, O_RDONLY | O_CLOEXEC);
	int answer = KNOWN | UNOPTIMIZED;
	Dwarf_Off before = 0;
	Elf *elf;
	Dwarf *dw;
	Dwarf_Die unit;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	dw = elf ? wm_dwarf_begin(elf, fd) : NULL;
	for (size_t i = 0; i < q->n; i++) {
		if (!dw || !find_unit(dw, address[i], &unit))
			return 0;
		/* most objects have only one unit */
		if (i && dwarf_dieoffset(&unit) == before)
			continue;
		before = dwarf_dieoffset(&unit);
		look_below(q, &unit, false, 0);
		if (!is_unoptimized(&unit))
			answer &= ~UNOPTIMIZED;
	}
	return answer | (q->found ? INLINED : 0);
}

/* Works in a child, as broken debug information may have any effect. */
struct wm_inner_source wm_inner_source(const char *plain,
				       const uint64_t *address,
				       const char *const *names, size_t n)
{
	struct wm_inner_source s = { false, false, false };
	struct question q = { names, n, false };
	pid_t pid = fork();
	struct stat st;
	int status = 0;

	if (pid < 0)
		return s;
	if (!pid) {
		wm_dwarf_guard(stat(plain, &st) ? 0 : (uint64_t)st.st_size, 0);
		_exit(look_at_units(plain, address, &q));
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return s;
	if (WIFEXITED(status)) {
		s.known = WEXITSTATUS(status) & KNOWN;
		s.inlined = WEXITSTATUS(status) & INLINED;
		s.unoptimized = WEXITSTATUS(status) & UNOPTIMIZED;
	}
	return s;
}
