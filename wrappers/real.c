/* SPDX-License-Identifier: Apache-2.0 */
/* For dynamic programs: the functions behind the wrappers, and memory for
 * blocks that the loader allocates while it is asked for these functions. */
#ifdef WM_DYNAMIC
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "wm/wrap_list.h"

#include "wrappers/shim.h"

#define X(name, family) extern const uint8_t entry_##name[] __asm__(#name);
WM_WRAP_MAP(X)
WM_WRAP_ADVICE(X)
#undef X

#define BOOT_BYTES (64u << 10)

struct wm_real wm_real;

/* volatile: dlsym is declared as if it could not call back into this file */
static __thread volatile int loading __attribute__((tls_model("initial-exec")));
static _Alignas(64) char boot[BOOT_BYTES];
static _Atomic size_t boot_used;

/* Another library's function would treat a block as its own. */
static void find_usable_size(void)
{
	void *f = wm_look_up(RTLD_NEXT, "malloc_usable_size");

	if (f && wm_of_one_library("malloc", (void *)wm_real.malloc,
				   "malloc_usable_size", f))
		*(void **)&wm_usable_size = f;
}

/* The entries of our own wrappers may differ from those that dlsym() finds. */
static void keep_entries(void)
{
#define X(name, family) entry_##name,
	wm_overwritten_begin(
		(const uint8_t *const[]){ WM_WRAP_MAP(X) WM_WRAP_ADVICE(X) });
#undef X
}

bool wm_real_load(void)
{
	bool ready;

	if (WM_REAL_READY())
		return true;
	if (loading)
		return false;
	loading = 1;
#define NEXT(name) *(void **)&wm_real.name = wm_look_up(RTLD_NEXT, #name)
#define WM_X(result, name, parameters) NEXT(name);
	WM_REALS(WM_X)
#undef WM_X
	NEXT(dlopen);
	NEXT(dlmopen);
#undef NEXT
	find_usable_size();
	keep_entries();
	loading = 0;
	ready = wm_real.malloc != NULL;
	__atomic_store_n(&wm_real.ready, ready, __ATOMIC_RELEASE);
	return ready;
}

/* The loader takes more than 4 KiB of stack, and a program without an
 * allocation before main may make its first allocation on a small stack. */
__attribute__((constructor(101))) static void load_early(void)
{
	wm_real_load();
}

/* Each block has its size in the 16 bytes before it. */
void *wm_boot_alloc(size_t size, size_t align)
{
	size_t old, at;

	if (align < 16)
		align = 16;
	if (size > BOOT_BYTES || align > BOOT_BYTES)
		return NULL;
	old = atomic_load(&boot_used);
	do {
		at = (((uintptr_t)boot + old + 16 + align - 1) &
		      ~(uintptr_t)(align - 1)) -
		     (uintptr_t)boot;
		if (at + size > BOOT_BYTES)
			return NULL;
	} while (!atomic_compare_exchange_weak(&boot_used, &old, at + size));
	*(size_t *)(void *)(boot + at - 16) = size;
	return boot + at;
}

bool wm_boot_owns(const void *p)
{
	return (const char *)p >= boot && (const char *)p < boot + BOOT_BYTES;
}

size_t wm_boot_size(const void *p)
{
	return *(const size_t *)(const void *)((const char *)p - 16);
}
#endif
