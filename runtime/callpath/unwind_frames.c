/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code without frame pointers keeps other values in that register, so a frame
 * pointer has to be aligned and further out than the one before, and the word
 * after it has to be an address in code.  Otherwise the walk ends.
 *
 * A wrong frame pointer may lead to memory that does not exist, or that another
 * thread is unmapping.  So only the page of the wrapper's own frame is read
 * directly; the kernel copies other pages, and fails where a read would fault.
 */
#include "runtime/callpath/unwind_frames.h"

#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/uio.h>

#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/callpath/modules.h"

#define WORDS (WM_PAGE_LEAST / sizeof(uintptr_t))

struct view {
	uintptr_t page; /* address of the words */
	const uintptr_t *words;
	void *copy;
};

static bool copy_page(struct view *v, uintptr_t at)
{
	uintptr_t page = at & ~(WM_PAGE_LEAST - 1);
	struct iovec to = { v->copy, WM_PAGE_LEAST },
		     from = { (void *)page, WM_PAGE_LEAST };

	if (page == v->page)
		return true;
	if (WM_SYS6(SYS_process_vm_readv, wm_state->pid, &to, 1, &from, 1, 0) !=
	    (long)WM_PAGE_LEAST)
		return false;
	v->page = page;
	v->words = v->copy;
	return true;
}

static int in_code(struct dl_phdr_info *info, size_t size, void *data)
{
	uintptr_t *ip = data;

	(void)size;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];

		if (ph->p_type == PT_LOAD && (ph->p_flags & PF_X) &&
		    *ip - 1 - (info->dlpi_addr + ph->p_vaddr) < ph->p_memsz)
			*ip = 0; /* found */
	}
	return !*ip;
}

/* Caches addresses in code, so an address in a closed library may be accepted
 * again, which does no harm. */
static bool is_code(uintptr_t ip)
{
	static _Atomic uintptr_t known[1024];
	_Atomic uintptr_t *k = &known[(ip ^ ip >> 10) % 1024];
	uintptr_t p = ip;

	if (!ip || atomic_load_explicit(k, memory_order_relaxed) == ip)
		return ip != 0;
	wm_modules_at(ip, in_code, &p);
	if (!p)
		atomic_store_explicit(k, ip, memory_order_relaxed);
	return !p;
}

size_t wm_frames_walk(const uintptr_t *frame, void *page, void **ips,
		      size_t room)
{
	uintptr_t at = (uintptr_t)frame, next = frame[0];
	uintptr_t own = at & ~(WM_PAGE_LEAST - 1);
	struct view v = { own, (const uintptr_t *)own, page };
	size_t n = 0;

	ips[n++] = (void *)frame[1];
	/* If @next is a multiple of 16, the address after it is in the same
	 * page. */
	while (n < room && next > at && !(next & 15) && copy_page(&v, next)) {
		const uintptr_t *f = &v.words[next / sizeof(*f) % WORDS];

		/* cppcheck-suppress objectIndex ; v.words has a page of words,
		 * and f is never the last word */
		if (!is_code(f[1]))
			break;
		/* cppcheck-suppress objectIndex ; as above */
		ips[n++] = (void *)f[1];
		at = next;
		next = f[0];
	}
	return n;
}
