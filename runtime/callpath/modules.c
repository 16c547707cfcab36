/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/callpath/modules.h"

#include <elf.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>

#include "wm/varint.h"

#include "runtime/base/dynamic.h"
#include "runtime/base/lock.h"
#include "runtime/base/sys.h"
#include "runtime/callpath/loaded.h"

#define BUILD_ID_MAX 64

static struct wm_lock picture_lock; /* the fields below */
static struct wm_buf picture;
static uint64_t picture_count;
static _Atomic uint32_t picture_version, version_sent;
static size_t build_id_len;
static uint8_t build_id[BUILD_ID_MAX];

static bool describe_module(const ElfW(Ehdr) * eh, struct dl_phdr_info *info)
{
	const ElfW(Phdr) * ph;

	if (!eh || memcmp(eh->e_ident, ELFMAG, SELFMAG) != 0)
		return false;
	memset(info, 0, sizeof(*info));
	ph = (const void *)((const char *)eh + eh->e_phoff);
	info->dlpi_phdr = ph;
	info->dlpi_phnum = eh->e_phnum;
	info->dlpi_name = "";
	info->dlpi_adds = 1;
	for (size_t i = 0; i < eh->e_phnum; i++)
		if (ph[i].p_type == PT_LOAD && ph[i].p_offset == 0) {
			info->dlpi_addr = (uintptr_t)eh - ph[i].p_vaddr;
			return true;
		}
	return false;
}

int wm_modules_at(uintptr_t ip,
		  int (*visit)(struct dl_phdr_info *, size_t, void *),
		  void *data)
{
	struct dl_phdr_info info;
#ifdef WM_DYNAMIC
	struct wm_loaded l;
	const void *eh = wm_loaded_at(ip, &l) ? (const void *)l.lo : NULL;
#else
	const void *eh = &__ehdr_start;

	(void)ip;
#endif
	return describe_module(eh, &info) ? visit(&info, sizeof(info), data) :
					    0;
}

static size_t find_build_id(const struct dl_phdr_info *info, uint8_t *id)
{
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		const char *p = (const char *)(info->dlpi_addr + ph->p_vaddr);
		const char *end = p + ph->p_filesz;

		if (ph->p_type != PT_NOTE)
			continue;
		while (end - p >= (long)sizeof(ElfW(Nhdr))) {
			const ElfW(Nhdr) *n = (const void *)p;
			const char *name = p + sizeof(*n);
			const char *desc = name + ((n->n_namesz + 3) & ~3u);

			/* The last note may lack its padding. */
			if (desc > end || n->n_descsz > (size_t)(end - desc))
				break;
			p = desc + ((n->n_descsz + 3) & ~3u);
			if (n->n_type == NT_GNU_BUILD_ID && n->n_namesz == 4 &&
			    n->n_descsz <= BUILD_ID_MAX &&
			    memcmp(name, "GNU", 4) == 0) {
				memcpy(id, desc, n->n_descsz);
				return n->n_descsz;
			}
		}
	}
	return 0;
}

/* as in dlopen("./plugin.so") */
static bool is_relative(const char *path)
{
	return path[0] != '/' && strchr(path, '/');
}

/* @p has room for path_room() bytes.  Returns the path's end. */
static uint8_t *put_path(uint8_t *p, const char *path)
{
	uint8_t *folder = p + WM_VARINT_MAX;
	long len = 0; /* with a final slash */
	size_t path_len;

	if (is_relative(path)) {
		len = WM_SYS2(SYS_getcwd, folder, PATH_MAX);
		if (len > 0 && folder[0] == '/') {
			folder[len - 1] = '/';
			while (path[0] == '.' && path[1] == '/')
				path += 2;
		} else {
			len = 0;
		}
	}
	path_len = strlen(path);
	p = wm_varint_put(p, (uint64_t)len + path_len);
	memmove(p, folder, (size_t)len);
	memcpy(p + len, path, path_len);
	return p + len + path_len;
}

static size_t path_room(const char *path)
{
	return WM_VARINT_MAX + strlen(path) +
	       (is_relative(path) ? PATH_MAX : 0);
}

struct look {
	struct wm_buf *out;
	uint64_t count;
	bool failed;
};

static int add_module(struct dl_phdr_info *info, size_t size, void *data)
{
	struct look *l = data;
	const char *path = info->dlpi_name ? info->dlpi_name : "";
	size_t id_len;
	uint8_t id[BUILD_ID_MAX];
	const struct wm_file_range r = wm_file_range(info->dlpi_phdr,
						     info->dlpi_phnum,
						     info->dlpi_addr);
	uint8_t *p;

	(void)size;
	/* The first module, the executable, has no name in the trace.  With
	 * musl the kernel's page has no name. */
	if (l->count == 0)
		path = "";
	else if (!*path)
		path = "linux-vdso.so.1";
	if (r.from >= r.to)
		return 0;
	id_len = find_build_id(info, id);
	if (wm_buf_reserve(l->out,
			   4 * WM_VARINT_MAX + path_room(path) + id_len)) {
		l->failed = true;
		return 1;
	}
	p = l->out->p + l->out->len;
	p = wm_varint_put(p, info->dlpi_addr);
	p = wm_varint_put(p, r.from);
	p = wm_varint_put(p, r.to);
	p = wm_varint_put(put_path(p, path), id_len);
	memcpy(p, id, id_len);
	l->out->len = (size_t)(p + id_len - l->out->p);
	if (l->count++ == 0 && !build_id_len) {
		memcpy(build_id, id, id_len);
		build_id_len = id_len;
	}
	return 0;
}

#ifdef WM_DYNAMIC
/* Describes an entry of the picture; `known` has the same order. */
struct known {
	struct wm_loaded file;
	size_t len;
};
static struct wm_buf known;

static bool is_same(const struct wm_loaded *a, const struct wm_loaded *b)
{
	return a->lo == b->lo && a->hi == b->hi && a->name == b->name;
}

static bool overlaps(const struct wm_loaded *a, const struct wm_loaded *b)
{
	return a->lo < b->hi && b->lo < a->hi;
}

/* Removes entry @i, at byte @at of the picture.  The caller holds
 * picture_lock. */
static void take_out(size_t i, size_t at)
{
	struct known *all = (void *)known.p;
	size_t n = known.len / sizeof(*all), len = all[i].len;

	memmove(picture.p + at, picture.p + at + len, picture.len - at - len);
	picture.len -= len;
	memmove(all + i, all + i + 1, (n - i - 1) * sizeof(*all));
	known.len -= sizeof(*all);
	picture_count--;
}

/* Removes other entries that overlap with @l.  The caller holds
 * picture_lock. */
static bool is_known(const struct wm_loaded *l)
{
	struct known *all = (void *)known.p;
	size_t at = 0;

	for (size_t i = 0; i < known.len / sizeof(*all);) {
		if (is_same(&all[i].file, l))
			return true;
		if (overlaps(&all[i].file, l))
			take_out(i, at);
		else
			at += all[i++].len;
	}
	return false;
}

static void add_known(const struct wm_loaded *file)
{
	struct look l = { &picture, picture_count, 0 };
	struct known k = { *file, picture.len };
	struct dl_phdr_info info;

	if (!describe_module((const void *)file->lo, &info) ||
	    wm_buf_reserve(&known, sizeof(k)))
		return;
	if (file->map->l_name)
		info.dlpi_name = file->map->l_name;
	add_module(&info, sizeof(info), &l);
	k.len = picture.len - k.len;
	if (l.failed || !k.len)
		return;
	wm_buf_add(&known, &k, sizeof(k));
	picture_count = l.count;
	atomic_fetch_add(&picture_version, 1);
}

/* The caller holds picture_lock. */
static void enter_modules(const uint64_t *frames, size_t count)
{
	struct wm_loaded l = { 0 };

	for (size_t i = 0; i < count; i++) {
		uintptr_t at = (uintptr_t)frames[i];

		if ((at < l.lo || at >= l.hi) && wm_loaded_at(at, &l) &&
		    !is_known(&l))
			add_known(&l);
	}
}

void wm_modules_enter(const uint64_t *frames, size_t count)
{
	/* an address in the executable; the runtime may be in a library */
	uint64_t here = getauxval(AT_PHDR);

	wm_lock_take(&picture_lock);
	/* The executable has to be the first entry. */
	if (!picture_count)
		enter_modules(&here, 1);
	enter_modules(frames, count);
	wm_lock_drop(&picture_lock);
}

void wm_modules_look(void)
{
	if (!atomic_load_explicit(&picture_version, memory_order_relaxed))
		wm_modules_enter(NULL, 0);
}

static bool picture_agrees(const struct wm_loaded *l)
{
	const struct known *all = (const void *)known.p;

	for (size_t i = 0; i < known.len / sizeof(*all); i++)
		if (overlaps(&all[i].file, l))
			return is_same(&all[i].file, l);
	return true;
}

bool wm_modules_agree(const uint64_t *frames, size_t count)
{
	struct wm_loaded l = { 0 };
	bool all = true;

	wm_lock_take(&picture_lock);
	for (size_t i = 0; i < count && all; i++) {
		uintptr_t call = (uintptr_t)frames[i] - 1;

		if ((call < l.lo || call >= l.hi) && wm_loaded_at(call, &l))
			all = picture_agrees(&l);
	}
	wm_lock_drop(&picture_lock);
	return all;
}

size_t wm_modules_gone(struct wm_code_range *gone, size_t room)
{
	const struct known *all;
	struct wm_loaded l;
	size_t n = 0;

	wm_lock_take(&picture_lock);
	all = (const void *)known.p;
	for (size_t i = 0; i < known.len / sizeof(*all) && n < room; i++)
		if (!wm_loaded_at(all[i].file.lo, &l) ||
		    !is_same(&all[i].file, &l))
			gone[n++] = (struct wm_code_range){ all[i].file.lo,
							    all[i].file.hi };
	wm_lock_drop(&picture_lock);
	return n;
}

static void drop_known(const struct wm_code_range *gone)
{
	const struct known *all = (const void *)known.p;
	size_t at = 0;

	for (size_t i = 0; i < known.len / sizeof(*all); i++) {
		if (all[i].file.lo == gone->lo && all[i].file.hi == gone->hi) {
			take_out(i, at);
			return;
		}
		at += all[i].len;
	}
}

/* The version stays: no later path leads through the removed libraries. */
void wm_modules_drop(const struct wm_code_range *gone, size_t count)
{
	wm_lock_take(&picture_lock);
	for (size_t i = 0; i < count; i++)
		drop_known(&gone[i]);
	wm_lock_drop(&picture_lock);
}

#else
void wm_modules_enter(const uint64_t *frames, size_t count)
{
	(void)frames;
	(void)count;
}

void wm_modules_look(void)
{
	struct look l = { &picture, 0, 0 };

	wm_lock_take(&picture_lock);
	if (!picture_count)
		wm_modules_at(0, add_module, &l);
	if (l.count && !l.failed) {
		picture_count = l.count;
		atomic_fetch_add(&picture_version, 1);
	}
	wm_lock_drop(&picture_lock);
}
#endif

bool wm_modules_encode(struct wm_buf *out, uint32_t *sent)
{
	bool changed = false;

	wm_lock_take(&picture_lock);
	if (atomic_load(&picture_version) != *sent && picture.len &&
	    wm_buf_reserve(out, WM_VARINT_MAX + picture.len) == 0) {
		uint8_t *p = wm_varint_put(out->p + out->len, picture_count);

		memcpy(p, picture.p, picture.len);
		out->len = (size_t)(p + picture.len - out->p);
		*sent = atomic_load(&picture_version);
		changed = true;
	}
	wm_lock_drop(&picture_lock);
	return changed;
}

static const uint8_t *read_module(const uint8_t *p, const uint8_t *end,
				  struct wm_module_range *m)
{
	uint64_t path = 0, id = 0;

	p = wm_varint_get(p, end, &m->bias);
	p = wm_varint_get(p, end, &m->lo);
	p = wm_varint_get(p, end, &m->hi);
	p = wm_varint_get(p, end, &path) + path;
	p = wm_varint_get(p, end, &id);
	m->id_size = id < WM_MODULE_ID ? id : WM_MODULE_ID;
	memcpy(m->id, p, m->id_size);
	return p + id;
}

size_t wm_modules_list(struct wm_module_range *list, size_t room)
{
	const uint8_t *p, *end;
	size_t n = 0;

	wm_lock_take(&picture_lock);
	p = picture.p;
	end = p + picture.len;
	while (p < end && n < room)
		p = read_module(p, end, &list[n++]);
	wm_lock_drop(&picture_lock);
	return n;
}

void wm_modules_sent(uint32_t version)
{
	atomic_store(&version_sent, version);
}

bool wm_modules_unsent(void)
{
	return atomic_load(&picture_version) != atomic_load(&version_sent);
}

size_t wm_modules_build_id(uint8_t *id, size_t room)
{
	size_t n = build_id_len < room ? build_id_len : room;

	memcpy(id, build_id, n);
	return n;
}

void wm_modules_forget(void)
{
	picture = (struct wm_buf){ 0 };
	picture_count = 0;
	atomic_store(&picture_version, 0);
	atomic_store(&version_sent, 0);
#ifdef WM_DYNAMIC
	known = picture;
	wm_loaded_forget();
#endif
}
