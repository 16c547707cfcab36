/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Libraries whose allocations cannot be seen: dlopen() with RTLD_DEEPBIND binds
 * a library to its own symbols and those of the libraries that it needs, so its
 * malloc is the C library's; dlmopen() loads a library, with another C library,
 * into a new namespace.  In programs that call one of these, the addresses that
 * the loader has stored in libraries' tables show which functions they call; a
 * function that is not resolved was never called.
 *
 * No lock of the loader is taken: a thread that ends or has forked the process
 * in a dl_iterate_phdr() callback would wait for it for ever.  So another
 * thread may close a library meanwhile, and memory that may be unmapped is read
 * by the kernel, which then fails.
 *
 * If the program has installed a filter of system calls, such a read may end
 * the program.  Then nothing is read, and all libraries that were opened in
 * these two ways are listed.
 */
#ifdef WM_DYNAMIC
#include "runtime/callpath/unseen.h"

#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

#include "runtime/arch/machine.h"
#include WM_MACHINE_HEADER(relocations.h)

#include "input/path.h"
#include "wm/wrap_list.h"

#include "runtime/base/clock.h"
#include "runtime/base/dynamic.h"
#include "runtime/base/lock.h"
#include "runtime/base/peek.h"
#include "runtime/base/state.h"
#include "runtime/base/text.h"

#define BETWEEN ", "
#define MORE "..."
#define LIBRARIES_MAX 10000 /* ends the walk of a list that is changing */
#define NAME_ROOM (WM_UNSEEN_ROOM / 2)
#define HEAP_NAME_ROOM 16 /* the longest name of a heap function, and a zero */

_Static_assert(WM_UNSEEN_ROOM == WMW_TEXT, "what the window holds");

#define X(name, family) #name,
static const char *const heap[] = { WM_WRAP_HEAP(X) };
#undef X

static struct wm_lock names_lock;
static char names[WM_UNSEEN_ROOM]; /* libraries found so far */
/* Libraries opened in one of these ways, and not yet found to call the
 * wrappers. */
static char opened[WM_UNSEEN_ROOM];
static _Atomic bool any;
static _Atomic uint64_t next_look; /* ns */

static char *find_name(char *list, const char *name)
{
	const size_t len = strlen(name);

	for (char *p = list; p; p = strstr(p, BETWEEN)) {
		p += p == list ? 0 : strlen(BETWEEN);
		if (strncmp(p, name, len) == 0 && (p[len] == ',' || !p[len]))
			return p;
	}
	return NULL;
}

static void add_name(char *list, const char *name)
{
	struct wm_text t = { list, strlen(list), WM_UNSEEN_ROOM, false };

	if (find_name(list, name) || find_name(list, MORE))
		return;
	if (t.len + strlen(BETWEEN MORE) + strlen(BETWEEN) + strlen(name) >=
	    t.room)
		name = MORE;
	wm_text_add(&t, t.len ? BETWEEN : "");
	wm_text_add(&t, name);
}

static void take_name(char *list, const char *name)
{
	char *p = find_name(list, name), *rest = p ? strstr(p, BETWEEN) : NULL;

	if (rest)
		memmove(p, rest + strlen(BETWEEN), strlen(rest) - 1);
	else if (p)
		*(p > list ? p - strlen(BETWEEN) : p) = 0;
}

static struct wm_text plain_name(char room[NAME_ROOM], const char *path)
{
	struct wm_text t = wm_text_on(room, NAME_ROOM);

	wm_text_plain(&t, wm_basename(path));
	return t;
}

static void name_is(const char *path, bool seen)
{
	char name[NAME_ROOM];

	if (!plain_name(name, path).len)
		return;
	wm_lock_take(&names_lock);
	if (seen)
		take_name(opened, name);
	else
		add_name(names, name);
	wm_lock_drop(&names_lock);
}

/* The caller holds the lock. */
static void tell_window(void)
{
	struct wmw_head *w = wm_state ? atomic_load(&wm_state->crash_buffer) :
					NULL;

	if (w)
		memcpy(w->opened_apart, opened, sizeof(opened));
}

void wm_unseen_tell(void)
{
	if (!atomic_load(&any))
		return;
	wm_lock_take(&names_lock);
	tell_window();
	wm_lock_drop(&names_lock);
}

void wm_unseen_opened(const char *path)
{
	char name[NAME_ROOM];

	if (!plain_name(name, path).len)
		return;
	wm_lock_take(&names_lock);
	add_name(opened, name);
	tell_window();
	wm_lock_drop(&names_lock);
	atomic_store(&any, true);
}

static void take_opened(void)
{
	char *next = opened, *end;

	wm_lock_take(&names_lock);
	while (*next) {
		end = strstr(next, BETWEEN);
		if (end)
			*end = 0;
		add_name(names, next);
		if (!end)
			break;
		*end = BETWEEN[0];
		next = end + strlen(BETWEEN);
	}
	wm_lock_drop(&names_lock);
}

bool wm_unseen_names(char to[WM_UNSEEN_ROOM])
{
	wm_lock_take(&names_lock);
	memcpy(to, names, sizeof(names));
	wm_lock_drop(&names_lock);
	return to[0] != 0;
}

struct page {
	uintptr_t at;
	uint8_t bytes[WM_PAGE_LEAST];
};

static bool get(struct page *p, uintptr_t at, void *to, size_t n)
{
	const uintptr_t page = at & ~(WM_PAGE_LEAST - 1);

	if (at + n > page + WM_PAGE_LEAST)
		return wm_peek(at, to, n) == n;
	if (p->at != page) {
		p->at = 0;
		if (wm_peek(page, p->bytes, WM_PAGE_LEAST) != WM_PAGE_LEAST)
			return false;
		p->at = page;
	}
	memcpy(to, p->bytes + (at - page), n);
	return true;
}

static bool get_text(uintptr_t at, char *to, size_t room)
{
	size_t n = at ? wm_peek(at, to, room - 1) : 0;

	to[n] = 0;
	return n != 0;
}

/* Returns false if the library at @to may have been closed: the loader has
 * freed its name, and the program may have reused that memory. */
static bool leads_to(uintptr_t link, uintptr_t to)
{
	uintptr_t is;

	return wm_peek(link, &is, sizeof(is)) == sizeof(is) && is == to;
}

struct look {
	struct wm_file_range exe, ours; /* both stay loaded */
	struct page symbols, strings;
};

struct library {
	struct wm_file_range range;
	uintptr_t bias;
	struct wm_dynamic t;
};

static bool covers(const struct wm_file_range *r, uintptr_t at)
{
	return at >= r->from && at < r->to;
}

static bool is_heap_function(const struct library *l, const ElfW(Sym) * s,
			     struct look *look)
{
	char name[HEAP_NAME_ROOM] = "";

	get(&look->strings, (uintptr_t)(l->t.str + s->st_name), name,
	    sizeof(name) - 1);
	for (size_t i = 0; i < sizeof(heap) / sizeof(*heap); i++)
		if (wm_str_equal(heap[i], name))
			return true;
	return false;
}

/* A call into the executable reaches the wrappers: the executable defines them,
 * or has stubs for those of libwmtrace.so. */
static bool is_elsewhere(const struct look *look, const struct library *l,
			 const ElfW(Sym) * s, uintptr_t at)
{
	if (covers(&look->exe, at) || covers(&look->ours, at))
		return false;
	/* This is a function that the library defines, or a stub that will
	 * resolve one. */
	if (covers(&l->range, at))
		return s->st_shndx != SHN_UNDEF && at == l->bias + s->st_value;
	/* A small value is no address yet: another thread is loading the
	 * library. */
	return at >= l->range.to - l->range.from;
}

static bool has_unseen(struct look *look, const struct library *l,
		       const ElfW(Rela) * table, size_t first, size_t count)
{
	enum { SOME = 32 };
	ElfW(Rela) r[SOME];
	ElfW(Sym) s;
	uintptr_t at;

	for (size_t i = first; table && i < count; i++) {
		const ElfW(Rela) *this = &r[(i - first) % SOME];
		unsigned type;

		if (this == r) {
			size_t n = count - i < SOME ? count - i : SOME;

			if (wm_peek((uintptr_t)(table + i), r,
				    n * sizeof(*r)) != n * sizeof(*r))
				return false;
		}
		type = ELF64_R_TYPE(this->r_info);
		if (wm_reloc_is_function(type) &&
		    get(&look->symbols,
			(uintptr_t)(l->t.sym + ELF64_R_SYM(this->r_info)), &s,
			sizeof(s)) &&
		    is_heap_function(l, &s, look) &&
		    wm_peek(l->bias + this->r_offset, &at, sizeof(at)) ==
			    sizeof(at) &&
		    is_elsewhere(look, l, &s, at))
			return true;
	}
	return false;
}

static bool read_library(const struct link_map *map, struct library *l)
{
	enum { HEADERS = 16, ENTRIES = 64 };
	ElfW(Ehdr) eh;
	ElfW(Phdr) ph[HEADERS];
	ElfW(Dyn) d[ENTRIES + 1] = { 0 };
	size_t n;

	if (wm_peek(map->l_addr, &eh, sizeof(eh)) != sizeof(eh) ||
	    memcmp(eh.e_ident, ELFMAG, SELFMAG) != 0 || eh.e_phnum > HEADERS)
		return false;
	n = eh.e_phnum * sizeof(*ph);
	if (wm_peek(map->l_addr + eh.e_phoff, ph, n) != n)
		return false;
	l->bias = map->l_addr;
	l->range = wm_file_range(ph, eh.e_phnum, l->bias);
	wm_peek((uintptr_t)map->l_ld, d, ENTRIES * sizeof(*d));
	wm_dynamic_read(l->bias, d, &l->t);
	return l->t.sym && l->t.str;
}

/* @map is a copy of the entry at @at; the pointer at @link leads to the
 * entry. */
static void look_at(struct look *look, const struct link_map *map, uintptr_t at,
		    uintptr_t link)
{
	char path[WM_PATH_MAX];
	struct library l;

	if (!read_library(map, &l) ||
	    !get_text((uintptr_t)map->l_name, path, sizeof(path)) ||
	    !leads_to(link, at))
		return;
	name_is(path, !has_unseen(look, &l, l.t.plt, 0, l.t.plts) &&
			      !has_unseen(look, &l, l.t.rela, l.t.relative,
					  l.t.relas));
}

/* The list for debuggers of glibc since 2.35.  The program's namespace is the
 * first.  Entries are never removed. */
struct namespace
{
	struct r_debug debug;
	const struct namespace *next;
};

static void look_at_namespaces(const struct r_debug *debug)
{
	const struct namespace *n = (const void *)debug;
	struct link_map map;
	char path[WM_PATH_MAX];
	uintptr_t first;

	if (n->debug.r_version < 2)
		return;
	/* The first library of each namespace is the opened one. */
	while ((n = n->next)) {
		first = (uintptr_t)n->debug.r_map;
		if (first && wm_peek(first, &map, sizeof(map)) == sizeof(map) &&
		    get_text((uintptr_t)map.l_name, path, sizeof(path)) &&
		    leads_to((uintptr_t)&n->debug.r_map, first))
			name_is(path, false);
	}
}

static void look_at_all(struct look *look)
{
	const ElfW(Phdr) *ph = (const void *)getauxval(AT_PHDR);
	uintptr_t bias;
	const struct r_debug *debug = wm_loader_list(&bias);
	const ElfW(Ehdr) *eh = &__ehdr_start;
	struct link_map map;
	uintptr_t next, link;

	if (!debug || !debug->r_map)
		return;
	look->exe = wm_file_range(ph, ph ? getauxval(AT_PHNUM) : 0, bias);
	look->ours = look->exe;
	if (eh && !covers(&look->exe, (uintptr_t)eh))
		look->ours = wm_file_range((const void *)((uintptr_t)eh +
							  eh->e_phoff),
					   eh->e_phnum, (uintptr_t)eh);
	look_at_namespaces(debug);
	link = (uintptr_t)&debug->r_map->l_next;
	next = (uintptr_t)debug->r_map->l_next;
	for (size_t i = 0; next && i < LIBRARIES_MAX; i++) {
		if (wm_peek(next, &map, sizeof(map)) != sizeof(map))
			return;
		look_at(look, &map, next, link);
		link = next + offsetof(struct link_map, l_next);
		next = (uintptr_t)map.l_next;
	}
}

/* A look makes about 30 system calls per library, so looks take at most 1 % of
 * the time.  The last look finds the libraries that others missed. */
void wm_unseen_look(bool last)
{
	uint64_t now;
	struct look look;

	if (!atomic_load(&any))
		return;
	now = wm_clock_ns(CLOCK_MONOTONIC);
	if (!last && now < atomic_load(&next_look))
		return;
	if (!wm_peek_is_safe()) {
		take_opened();
		return;
	}
	look.symbols.at = look.strings.at = 0;
	look_at_all(&look);
	wm_unseen_tell();
	atomic_store(&next_look,
		     now + 100 * (wm_clock_ns(CLOCK_MONOTONIC) - now));
}
#endif
