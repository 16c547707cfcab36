/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pool.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/state.h"
#include "runtime/sys.h"

static _Atomic uint64_t pool_bytes;

static size_t whole_pages(size_t bytes)
{
	return (bytes + WM_PAGE - 1) & ~(WM_PAGE - 1);
}

void *wm_pool_map(size_t bytes)
{
	long r;

	bytes = whole_pages(bytes);
	r = WM_SYS6(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (wm_sys_bad(r))
		return NULL;
	atomic_fetch_add_explicit(&pool_bytes, bytes, memory_order_relaxed);
	return (void *)r;
}

void wm_pool_unmap(void *p, size_t bytes)
{
	bytes = whole_pages(bytes);
	WM_SYS2(SYS_munmap, p, bytes);
	atomic_fetch_sub_explicit(&pool_bytes, bytes, memory_order_relaxed);
}

void *wm_pool_map_private(size_t bytes, int *wipes)
{
	void *p = wm_pool_map(bytes);

	if (p)
		*wipes = WM_SYS3(SYS_madvise, p, whole_pages(bytes),
				 18 /* MADV_WIPEONFORK */) == 0;
	return p;
}

uint64_t wm_pool_bytes(void)
{
	return atomic_load_explicit(&pool_bytes, memory_order_relaxed);
}

void wm_pool_forget(void)
{
	atomic_store(&pool_bytes, 0);
}

int wm_buf_reserve(struct wm_buf *b, size_t more)
{
	size_t room;
	uint8_t *p;

	if (b->room - b->len >= more)
		return 0;
	room = whole_pages(b->len + more + b->room / 2);
	p = wm_pool_map(room);
	if (!p)
		return -1;
	if (b->p) {
		memcpy(p, b->p, b->len);
		wm_pool_unmap(b->p, b->room);
	}
	b->p = p;
	b->room = room;
	return 0;
}
