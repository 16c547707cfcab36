/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/modules.h"

#include <elf.h>
#include <stdatomic.h>
#include <string.h>
#ifdef WM_DYNAMIC
#include <dlfcn.h>
#endif

#include "wm/varint.h"

#include "runtime/lock.h"
#include "runtime/state.h"

#define BUILD_ID_MAX 64

/* Defined by every linker: the ELF header in the first segment. */
extern const ElfW(Ehdr) __ehdr_start
	__attribute__((weak, visibility("hidden")));

static struct wm_lock look_lock; /* who looks */
static struct wm_lock picture_lock; /* the fields below */
static struct wm_buf picture, scratch;
static _Atomic uint32_t picture_version;
static size_t build_id_len;
static uint8_t build_id[BUILD_ID_MAX];

/* Describe the ELF file mapped at @eh. */
static int describe(const ElfW(Ehdr) *eh, struct dl_phdr_info *info)
{
	const ElfW(Phdr) *ph;

	if (!eh || memcmp(eh->e_ident, ELFMAG, SELFMAG) != 0)
		return 0;
	memset(info, 0, sizeof(*info));
	ph = (const void *)((const char *)eh + eh->e_phoff);
	info->dlpi_phdr = ph;
	info->dlpi_phnum = eh->e_phnum;
	info->dlpi_name = "";
	info->dlpi_adds = 1;
	for (unsigned i = 0; i < eh->e_phnum; i++)
		if (ph[i].p_type == PT_LOAD && ph[i].p_offset == 0) {
			info->dlpi_addr = (uintptr_t)eh - ph[i].p_vaddr;
			return 1;
		}
	return 0;
}

#ifdef WM_DYNAMIC
#if __GLIBC_PREREQ(2, 35)
/* Weak: the program may run with an older C library than we were built for. */
#pragma weak _dl_find_object

int wm_modules_at(uintptr_t ip,
		  int (*visit)(struct dl_phdr_info *, size_t, void *),
		  void *data)
{
	struct dl_find_object found;
	struct dl_phdr_info info;

	if (!_dl_find_object)
		return dl_iterate_phdr(visit, data);
	if (_dl_find_object((void *)ip, &found) != 0 ||
	    !describe(found.dlfo_map_start, &info))
		return 0;
	return visit(&info, sizeof(info), data);
}
#else
int wm_modules_at(uintptr_t ip,
		  int (*visit)(struct dl_phdr_info *, size_t, void *),
		  void *data)
{
	(void)ip;
	return dl_iterate_phdr(visit, data);
}
#endif
#else
int wm_modules_at(uintptr_t ip,
		  int (*visit)(struct dl_phdr_info *, size_t, void *),
		  void *data)
{
	struct dl_phdr_info info;

	(void)ip;
	return describe(&__ehdr_start, &info) ?
		       visit(&info, sizeof(info), data) : 0;
}
#endif

/* GNU build-id in the note segments of a module. */
static size_t find_build_id(const struct dl_phdr_info *info, uint8_t *id)
{
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		const char *p = (const char *)(info->dlpi_addr + ph->p_vaddr);
		const char *end = p + ph->p_filesz;

		if (ph->p_type != PT_NOTE)
			continue;
		while (end - p >= (long)sizeof(ElfW(Nhdr))) {
			const ElfW(Nhdr) *n = (const void *)p;
			const char *name = p + sizeof(*n);
			const char *desc = name + ((n->n_namesz + 3) & ~3u);

			p = desc + ((n->n_descsz + 3) & ~3u);
			if (p > end)
				break;
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

struct look {
	struct wm_buf *out;
	uint64_t count;
	int failed;
};

static int add_module(struct dl_phdr_info *info, size_t size, void *data)
{
	struct look *l = data;
	const char *path = info->dlpi_name ? info->dlpi_name : "";
	size_t path_len = strlen(path), id_len;
	uint8_t id[BUILD_ID_MAX];
	uint64_t lo = UINT64_MAX, hi = 0;
	uint8_t *p;

	(void)size;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uint64_t at = info->dlpi_addr + ph->p_vaddr;

		if (ph->p_type != PT_LOAD)
			continue;
		lo = at < lo ? at : lo;
		hi = at + ph->p_memsz > hi ? at + ph->p_memsz : hi;
	}
	if (lo >= hi)
		return 0;
	id_len = find_build_id(info, id);
	if (wm_buf_reserve(l->out, 5 * WM_VARINT_MAX + path_len + id_len)) {
		l->failed = 1;
		return 1;
	}
	p = l->out->p + l->out->len;
	p = wm_varint_put(p, info->dlpi_addr);
	p = wm_varint_put(p, lo);
	p = wm_varint_put(p, hi);
	p = wm_varint_put(p, path_len);
	memcpy(p, path, path_len);
	p = wm_varint_put(p + path_len, id_len);
	memcpy(p, id, id_len);
	l->out->len = (size_t)(p + id_len - l->out->p);
	if (l->count++ == 0) {
		/* the first module is the executable */
		memcpy(build_id, id, id_len);
		build_id_len = id_len;
	}
	return 0;
}

static void look(void)
{
	struct look l = { &scratch, 0, 0 };

	scratch.len = 0;
#ifdef WM_DYNAMIC
	dl_iterate_phdr(add_module, &l);
#else
	wm_modules_at(0, add_module, &l);
#endif
	if (l.failed || l.count == 0)
		return;
	wm_lock_take(&picture_lock);
	if (scratch.len != picture.len - (picture.len ? 1 : 0) ||
	    memcmp(scratch.p, picture.p + 1, scratch.len) != 0) {
		picture.len = 0;
		if (l.count < 0x80 &&
		    wm_buf_reserve(&picture, scratch.len + 1) == 0) {
			picture.p[0] = (uint8_t)l.count;
			memcpy(picture.p + 1, scratch.p, scratch.len);
			picture.len = scratch.len + 1;
			atomic_fetch_add(&picture_version, 1);
		}
	}
	wm_lock_drop(&picture_lock);
}

void wm_modules_look(void)
{
#ifndef WM_DYNAMIC
	/* a static program has one module, for ever */
	if (atomic_load_explicit(&picture_version, memory_order_relaxed))
		return;
#endif
	if (!wm_lock_try(&look_lock))
		return;
	look();
	wm_lock_drop(&look_lock);
}

int wm_modules_encode(struct wm_buf *out, uint32_t *sent)
{
	int changed = 0;

	wm_lock_take(&picture_lock);
	if (atomic_load(&picture_version) != *sent && picture.len &&
	    wm_buf_reserve(out, picture.len) == 0) {
		memcpy(out->p + out->len, picture.p, picture.len);
		out->len += picture.len;
		*sent = atomic_load(&picture_version);
		changed = 1;
	}
	wm_lock_drop(&picture_lock);
	return changed;
}

size_t wm_modules_build_id(uint8_t *id, size_t room)
{
	size_t n = build_id_len < room ? build_id_len : room;

	memcpy(id, build_id, n);
	return n;
}
