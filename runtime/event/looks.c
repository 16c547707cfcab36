/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/event/looks.h"

#include <stdatomic.h>

#include "wm/trace_format.h"

#include "runtime/base/on_stack.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/event/event_hooks.h"
#include "runtime/trace/resident.h"
#include "runtime/trace/writer.h"

#define BLOCKS 256

/* Live large blocks, by the hash of their address; of two blocks with the same
 * hash, the last one is kept.  The bits of addresses are inverted, so that
 * WM_VARIABLES and leak checkers do not take them for pointers. */
static _Atomic uintptr_t block[BLOCKS];
static _Atomic int blocks;
static _Atomic bool shares;
static _Atomic bool begun;

static _Atomic uintptr_t *place_of(const void *p)
{
	uint64_t hash = (uintptr_t)p * UINT64_C(0x9e3779b97f4a7c15);

	return &block[hash >> 56];
}

static uintptr_t inverted(const void *p)
{
	return ~(uintptr_t)p;
}

static void want_releases(void)
{
	if (atomic_load(&shares) && atomic_load(&blocks) > 0)
		atomic_fetch_or(&wm_slow_reasons, WM_SLOW_LOOKS);
}

/* A vfork child shares our memory, but has another pid. */
static bool is_ours(void)
{
	return wm_state && !wm_forked(wm_state) &&
	       atomic_load(&wm_state->tracing) != WM_TRACING_OFF &&
	       wm_sys_getpid() == wm_state->pid;
}

static void begin(void *unused)
{
	wm_writer_call(wm_resident_begin, unused);
}

static void has_shared(void)
{
	atomic_store(&shares, true);
	/* A constructor may have mapped some before tracing begins. */
	if (!atomic_load(&begun) && is_ours() && !atomic_exchange(&begun, true))
		wm_aside(begin, NULL);
	want_releases();
}

static void look(void *now)
{
	wm_writer_call(wm_resident_look, now);
}

static void look_now(void)
{
	struct wm_resident_now now = { .known = false };

	/* The result has to be recorded, because the next look does not find
	 * the same changes again. */
	if (atomic_load(&wm_state->tracing) != WM_TRACING_ON)
		return;
	wm_aside(look, &now);
	if (!now.known)
		return;
	wm_rec_saying(WMT_SAYING_PRIVATE_MOST, now.most);
	wm_rec_saying(WMT_SAYING_TOUCHED, now.touched);
	wm_rec_saying(WMT_SAYING_SHARED_MORE, now.shared_more);
	wm_rec_saying(WMT_SAYING_PRIVATE, now.private);
}

static bool is_wanted(void)
{
	return is_ours() && wm_resident_is_due();
}

void wm_memory_comes(size_t bytes)
{
	has_shared();
	if (bytes >= WM_MEMORY_LEAST && is_wanted())
		look_now();
}

void wm_looks_gain(unsigned kind, const void *p)
{
	if (kind == WMT_EV_SHM || kind == WMT_EV_MPI_ALLOC)
		has_shared();
	else if (kind != WMT_EV_MAP && kind != WMT_EV_THREAD_STACK &&
		 kind != WMT_EV_BREAK_UP && kind != WMT_EV_REMAP_IN &&
		 !atomic_exchange(place_of(p), inverted(p)))
		atomic_fetch_add(&blocks, 1);
	want_releases();
}

void wm_looks_release(const void *p)
{
	uintptr_t at = inverted(p);

	if (atomic_load_explicit(place_of(p), memory_order_relaxed) != at ||
	    !atomic_compare_exchange_strong(place_of(p), &at, 0))
		return;
	if (atomic_fetch_sub(&blocks, 1) == 1)
		atomic_fetch_and(&wm_slow_reasons, ~WM_SLOW_LOOKS);
	if (is_wanted())
		look_now();
}

void wm_memory_goes(size_t bytes)
{
	if (bytes >= WM_MEMORY_LEAST && is_wanted())
		look_now();
	wm_resident_goes(bytes);
}

bool wm_memory_fades(size_t bytes)
{
	bool looks = bytes >= WM_MEMORY_LEAST && atomic_load(&shares) &&
		     is_wanted();

	if (looks)
		look_now();
	wm_resident_fades(bytes);
	return looks;
}

void wm_memory_gone(void)
{
	look_now();
}

void wm_memory_fades_inside(size_t bytes)
{
	wm_resident_fades(bytes);
}

void wm_memory_file(size_t bytes)
{
	if (bytes >= WM_MEMORY_LEAST)
		wm_resident_file();
}

void wm_memory_huge(void)
{
	wm_resident_huge();
}
