/* SPDX-License-Identifier: Apache-2.0 */
/* WM_ACCESS_ONLY: names come from the symbol table of the executable, because
 * only the executable has objects with hooks. */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>

#include "runtime/base/env.h"
#include "runtime/base/function_names.h"
#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/pages/runs.h"
#include "runtime/trace/accesses.h"

#define NAME_MAX 512
#define SYMBOLS_AT_ONCE 64u

struct reading {
	int fd;
	ElfW(Ehdr) eh;
	uint64_t bias;
	uint64_t names, names_size; /* of symbols: offset in the file, bytes */
	struct wm_buf found; /* struct wm_page_run: addresses */
	uint64_t used;
};

static long read_at(const struct reading *r, void *to, size_t bytes,
		    uint64_t at)
{
	long n;

	do
		n = WM_SYS4(SYS_pread64, r->fd, to, bytes, at);
	while (n == -4); /* EINTR */
	return n;
}

static bool read_all(const struct reading *r, void *to, size_t bytes,
		     uint64_t at)
{
	return read_at(r, to, bytes, at) == (long)bytes;
}

/* Finds the difference between addresses in memory and in the file.  Returns
 * false if the file is not that of this program, for example because the loader
 * was run as a program. */
static bool find_bias(struct reading *r)
{
	const ElfW(Phdr) *loaded = (const void *)getauxval(AT_PHDR);
	uint64_t at = r->eh.e_phoff;
	ElfW(Phdr) p;

	if (!loaded || getauxval(AT_PHNUM) != r->eh.e_phnum)
		return false;
	r->bias = 1;
	for (size_t i = 0; i < r->eh.e_phnum; i++) {
		if (!read_all(r, &p, sizeof(p), at + i * sizeof(p)) ||
		    memcmp(&p, &loaded[i], sizeof(p)) != 0)
			return false;
		if (p.p_type == PT_LOAD && at >= p.p_offset &&
		    at < p.p_offset + p.p_filesz)
			r->bias = (uintptr_t)loaded -
				  (p.p_vaddr + at - p.p_offset);
	}
	return r->bias != 1;
}

static bool take_symbol(struct reading *r, const ElfW(Sym) * sym)
{
	unsigned type = ELF64_ST_TYPE(sym->st_info);
	/* Return addresses of hooks are after the call, so +1. */
	struct wm_page_run run = { r->bias + sym->st_value + 1,
				   r->bias + sym->st_value + sym->st_size + 1 };
	char name[NAME_MAX];
	uint64_t patterns;
	long n;

	if ((type != STT_FUNC && type != STT_GNU_IFUNC) || !sym->st_size ||
	    sym->st_shndx == SHN_UNDEF || sym->st_name >= r->names_size)
		return true;
	n = read_at(r, name, sizeof(name) - 1, r->names + sym->st_name);
	if (n <= 0)
		return true;
	name[n] = 0;
	patterns = wm_function_patterns(name, wm_options.access_only);
	if (!patterns)
		return true;
	r->used |= patterns;
	return wm_buf_add(&r->found, &run, sizeof(run)) == 0;
}

static const char *take_symbols(struct reading *r, const ElfW(Shdr) * table)
{
	ElfW(Sym) sym[SYMBOLS_AT_ONCE];
	uint64_t done = 0, bytes;

	for (; done < table->sh_size; done += bytes) {
		bytes = table->sh_size - done;
		if (bytes > sizeof(sym))
			bytes = sizeof(sym);
		if (!read_all(r, sym, bytes, table->sh_offset + done))
			return "its symbols cannot be read";
		for (size_t i = 0; i < bytes / sizeof(*sym); i++)
			if (!take_symbol(r, &sym[i]))
				return "no memory";
	}
	return NULL;
}

static const char *read_symbols(struct reading *r)
{
	const uint64_t at = r->eh.e_shoff;
	ElfW(Shdr) table, names;

	for (size_t i = 0; at && i < r->eh.e_shnum; i++) {
		if (!read_all(r, &table, sizeof(table), at + i * sizeof(table)))
			break;
		if (table.sh_type != SHT_SYMTAB)
			continue;
		if (!read_all(r, &names, sizeof(names),
			      at + table.sh_link * sizeof(names)))
			break;
		r->names = names.sh_offset;
		r->names_size = names.sh_size;
		return take_symbols(r, &table);
	}
	return "it has no symbols (stripped?)";
}

static const char *read_functions(struct reading *r)
{
	const char *why;

	r->fd = wm_sys_open("/proc/self/exe", O_RDONLY | O_CLOEXEC, 0);
	if (r->fd < 0)
		return "it cannot be opened";
	if (!read_all(r, &r->eh, sizeof(r->eh), 0) ||
	    memcmp(r->eh.e_ident, ELFMAG, SELFMAG) != 0 ||
	    r->eh.e_phentsize != sizeof(ElfW(Phdr)) || !find_bias(r))
		why = "it is not the program's file";
	else
		why = read_symbols(r);
	wm_sys_close(r->fd);
	return why;
}

static void report_unused(uint64_t used)
{
	char text[256];
	struct wm_text t = wm_text_on(text, sizeof(text));
	const char *p = wm_options.access_only;
	unsigned n = 0;

	wm_text_add(&t, "WM_ACCESS_ONLY: no function is called");
	for (; *p && n < WM_FUNCTION_PATTERNS; n++) {
		if (!(used >> n & 1))
			wm_text_add(&t, " '");
		for (; *p && *p != ','; p++)
			if (!(used >> n & 1))
				wm_text_char(&t, *p);
		if (!(used >> n & 1))
			wm_text_add(&t, "'");
		p += *p == ',';
	}
	if (n < WM_FUNCTION_PATTERNS ? used != (UINT64_C(1) << n) - 1 : ~used)
		wm_options_warn(text);
}

static void report_failed(const char *why)
{
	char text[256];
	struct wm_text t = wm_text_on(text, sizeof(text));

	wm_text_add(
		&t,
		"WM_ACCESS_ONLY: no loads and stores are recorded: "
		"addresses of functions are read from /proc/self/exe, and ");
	wm_text_add(&t, why);
	wm_options_warn(text);
}

static void read_once(void)
{
	static struct wm_access_only only;
	struct reading r = { .fd = -1 };
	const char *why = read_functions(&r);

	if (why) {
		r.found.len = 0;
		report_failed(why);
	} else {
		wm_runs_sort(&r.found);
		report_unused(r.used);
	}
	only.run = (const void *)r.found.p;
	only.count = wm_runs_count(&r.found);
	wm_access_only = &only;
}

bool wm_hooked_functions_read(void)
{
	/* pid of the process that reads: the child of a fork begins anew */
	static _Atomic int reader;
	static _Atomic bool done;
	int pid, was = 0;

	if (!wm_options.access_only[0] || atomic_load(&done))
		return true;
	pid = wm_sys_getpid();
	while (!atomic_compare_exchange_strong(&reader, &was, pid))
		if (was == pid)
			return atomic_load(&done);
	read_once();
	atomic_store(&done, true);
	return true;
}
