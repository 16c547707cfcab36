/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records every load and store: for each the compiler calls a hook
 * (-fsanitize=thread), which adds the access to the thread's stream.
 *
 * These functions are linked only into programs with hooks.  Hooks are called
 * in any thread, in signal handlers, before main, and in a forked child.  They
 * take no memory from the program's heap and do not change errno.
 *
 * A spot is a place in the program that accesses memory.  The hot path is a
 * predicted access: by the spot that followed last time, at the address that
 * the spot's stride predicts.  It is only counted; all others are in
 * access_encode.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wm/access_format.h"

#include "runtime/arch/machine.h"
#include WM_MACHINE_HEADER(stack_pointer.h)

#include "runtime/base/attributes.h"
#include "runtime/pages/filter.h"
#include "runtime/trace/accesses.h"

/* The kind of a spot's accesses and the bytes of each (struct
 * wm_access_spot). */
#define WM_ACCESS_WHAT(kind, how, bytes)                                       \
	((uint32_t)(bytes) << 8 | WMA_##how << WMA_HOW_SHIFT | WMA_##kind)

/* A key is the return address of the hook, and a number that distinguishes
 * spots with the same address.  A plain load or store is never the last
 * instruction of a function, so its return address is unique. */
#define WM_ACCESS_KEY(pc, extra) ((uint64_t)(pc) | (uint64_t)(extra) << 48)
#define WM_ACCESS_PC(key) ((key) & (((uint64_t)1 << 48) - 1))

/* The home of a spot, in bytes from the start of the stream: the spot is there
 * unless another one is.  Two calls with an argument each are at least 8 bytes
 * apart. */
static inline uint64_t wm_access_home(uint64_t key)
{
	return (uint64_t)((uint32_t)key & (WM_ACCESS_HOMES - 1) << 3) *
		       (sizeof(struct wm_access_spot) / 8) +
	       WM_ACCESS_HEAD;
}

static inline struct wm_access_spot *wm_access_spot(struct wm_access_stream *s,
						    uint64_t at)
{
	return (struct wm_access_spot *)(void *)((char *)s + at);
}

static inline uint64_t *wm_access_bytes(struct wm_access_stream *s,
					const struct wm_access_spot *spot)
{
	return (uint64_t *)(void *)((char *)s + WM_ACCESS_SIZES_AT) +
	       spot->number;
}

static inline bool wm_access_is_wanted(uint64_t pc)
{
	const struct wm_access_only *only = wm_access_only;
	size_t low = 0, high = only->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (pc >= only->run[mid][1])
			low = mid + 1;
		else
			high = mid;
	}
	return low < only->count && pc >= only->run[low][0];
}

/* Records an access of a thread without a stream, or of a handler that has
 * interrupted a hook. */
void wm_access_enter(uint64_t addr, uint64_t key, uint32_t what,
		     uint64_t bytes) wm_hidden;
/* Records an access that was not predicted.  Called while the hook is at
 * work. */
void wm_access_miss(uint64_t addr, uint64_t key, uint32_t what,
		    struct wm_access_stream *s) wm_hidden;

/* Notes an access that the thread's page filter has not seen. */
void wm_access_page_miss(uint64_t addr, uint64_t key, uint32_t what) wm_hidden;
/* The same for an access of @bytes.  Returns how many are left when the thread
 * has to ask again whether it is recorded. */
uint64_t wm_access_page_note(uint64_t addr, uint64_t bytes, uint64_t key,
			     uint32_t what) wm_hidden;
/* Does the same in a handler that has interrupted a hook. */
void wm_access_page_aside(struct wm_page_filter *f, uint64_t addr,
			  uint64_t bytes, uint64_t key,
			  uint32_t what) wm_hidden;

/* Whether the access is within a page that the filter has seen.  @self is
 * wm_access_self of a thread with a filter. */
static inline bool wm_access_page_seen(uintptr_t self, int written,
				       uint64_t addr, uint64_t bytes)
{
	const struct wm_page_filter *f = (void *)(self - WM_FILTER_TAG);

	return addr - f->seen[written][(uint16_t)(addr / WM_PAGE)] <=
	       WM_PAGE - bytes;
}

/* For WM_ACCESS=pages: most accesses are to a page that the filter has seen. */
static inline __attribute__((always_inline)) void
wm_access_page(uintptr_t self, uint64_t addr, uint64_t key, uint32_t what)
{
	const uint32_t kind = what & WMA_KIND, bytes = what >> 8;

	if (wm_unlikely((kind != WMA_WRITE &&
			 !wm_access_page_seen(self, 0, addr, bytes)) ||
			(kind != WMA_READ &&
			 !wm_access_page_seen(self, 1, addr, bytes))))
		wm_access_page_miss(addr, key, what);
}

/* Called by the hook at @key, before its caller accesses @addr. */
static inline __attribute__((always_inline)) void
wm_access_at(uint64_t addr, uint64_t key, uint32_t what)
{
	uintptr_t self = wm_access_self;
	struct wm_access_stream *s = (void *)(self - 1);
	struct wm_access_spot *spot;
	uint64_t at;

	if (wm_unlikely(!(self & 1))) {
		if (self & WM_FILTER_TAG)
			wm_access_page(self, addr, key, what);
		else
			wm_access_enter(addr, key, what, 0);
		return;
	}
	/* From here on, accesses of a handler change nothing. */
	wm_access_self = wm_stack_pointer();
	atomic_signal_fence(memory_order_seq_cst);
	at = wm_access_home(key);
	spot = wm_access_spot(s, at);
	if (wm_unlikely(wm_access_spot(s, s->cur)->next != key ||
			spot->expect != addr)) {
		/* The program will wait for this memory, so it is loaded
		 * now. */
		__builtin_prefetch((const void *)addr);
		wm_access_miss(addr, key, what, s);
		return;
	}
	spot->expect = addr + spot->stride;
	s->cur = at;
	s->count++;
	atomic_signal_fence(memory_order_seq_cst);
	wm_access_self = self;
}

#define WM_ACCESS_CALLER __builtin_return_address(0)

#define WM_ACCESS_EXPORT(type, name, ...)                                      \
	type name(__VA_ARGS__);                                                \
	wm_export type name(__VA_ARGS__)

/* Without no_icf gcc would replace a hook by a jump to one with the same
 * code. */
#if defined(__has_attribute)
#if __has_attribute(no_icf)
#define WM_ACCESS_HOOK wm_export __attribute__((no_icf))
#endif
#endif
#ifndef WM_ACCESS_HOOK
#define WM_ACCESS_HOOK wm_export
#endif

/* @bytes differ from call to call.  @caller is the return address of the
 * call. */
void wm_access_range(const void *p, size_t bytes, const void *caller,
		     uint32_t what) wm_hidden;

/* Whether these accesses are the thread's last ones and were remembered; true
 * only once for each.  @from is NULL if nothing is read. */
bool wm_access_told(const void *to, const void *from, size_t bytes) wm_hidden;
