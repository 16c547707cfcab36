/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers malloc, calloc, realloc, reallocarray, free, cfree, free_sized,
 * free_aligned_sized.  The last two are functions of C23.  In static programs
 * they are wrapped if the plain program has them from its C library or
 * allocator; in dynamic programs they do what free() does.
 *
 * Leaves out glibc's __libc_malloc family, which programs call to avoid
 * interposition on purpose, and functions of an allocator that are not in the
 * standard (mallocx, tc_malloc, mi_malloc and others).
 *
 * operator new and delete, strdup, getline, Fortran's ALLOCATE and others call
 * these functions.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "wm/trace_format.h"

#include "wrappers/shim.h"

WM_WRAPPED(void *, malloc, size_t size);
WM_WRAPPED(void *, calloc, size_t n, size_t size);
WM_WRAPPED(void *, realloc, void *old, size_t size);
WM_WRAPPED(void *, reallocarray, void *old, size_t n, size_t size);
WM_WRAPPED(void, free, void *p);
WM_WRAPPED(void, cfree, void *p);
void WM_SHIM(free_sized)(void *p, size_t size) wm_export_weak;
void WM_SHIM(free_aligned_sized)(void *p, size_t align,
				 size_t size) wm_export_weak;

void *WM_SHIM(malloc)(size_t size)
{
	void *p;

	if (WM_REAL_MISSING())
		return wm_boot_alloc(size, 16);
	if (!wm_enter())
		return WM_REAL(malloc)(size);
	p = WM_REAL(malloc)(size);
	wm_rec_alloc(WMT_EV_MALLOC, p, size, wm_frame());
	wm_leave();
	return p;
}

void *WM_SHIM(calloc)(size_t n, size_t size)
{
	size_t bytes;
	void *p;

	if (__builtin_mul_overflow(n, size, &bytes))
		bytes = SIZE_MAX; /* the call will fail */
	if (WM_REAL_MISSING())
		return wm_boot_alloc(bytes, 16);
	if (!wm_enter())
		return WM_REAL(calloc)(n, size);
	p = WM_REAL(calloc)(n, size);
	wm_rec_alloc(WMT_EV_CALLOC, p, bytes, wm_frame());
	wm_leave();
	return p;
}

/* Reallocates a block that was made before the allocator could be found. */
static void *leave_boot(void *old, size_t size, const uintptr_t *frame)
{
	void *p = WM_REAL(malloc)(size);

	if (p) {
		size_t n = wm_boot_size(old);

		memcpy(p, old, n < size ? n : size);
	}
	wm_rec_alloc(WMT_EV_REALLOC_NEW, p, size, frame);
	return p;
}

#ifdef WM_DYNAMIC
#define real_reallocarray(old, n, size) WM_REAL(realloc)(old, (n) * (size))
#else
static void *real_reallocarray(void *old, size_t n, size_t size)
{
	if (__real_reallocarray)
		return __real_reallocarray(old, n, size);
	return __real_realloc(old, n * size);
}
#endif

/* @n is 1, or that of reallocarray; the product fits a size_t. */
static inline __attribute__((always_inline)) void *
traced_realloc(void *old, size_t n, size_t each, const uintptr_t *frame)
{
	size_t size = n * each;
	void *p;

	if (wm_boot_owns(old))
		return leave_boot(old, size, frame);
	/* Recorded first: once the block is freed, another thread may get its
	 * address, and that thread's event must come after this one. */
	if (old)
		wm_rec_release(WMT_EV_REALLOC_OUT, old);
	p = n == 1 ? WM_REAL(realloc)(old, size) :
		     real_reallocarray(old, n, each);
	if (!p && old && size == 0)
		wm_rec_mark(WMT_EV_REALLOC_GONE, NULL, 0);
	else
		wm_rec_alloc(old ? WMT_EV_REALLOC_IN : WMT_EV_REALLOC_NEW, p,
			     size, frame);
	return p;
}

static inline void *boot_realloc(void *old, size_t size)
{
	size_t n = old ? wm_boot_size(old) : 0;
	void *p = wm_boot_alloc(size, 16);

	if (p && n)
		memcpy(p, old, n < size ? n : size);
	return p;
}

void *WM_SHIM(realloc)(void *old, size_t size)
{
	void *p;

	if (WM_REAL_MISSING())
		return boot_realloc(old, size);
	if (!wm_enter())
		return WM_REAL(realloc)(old, size);
	p = traced_realloc(old, 1, size, wm_frame());
	wm_leave();
	return p;
}

static void *failed_reallocarray(void *old, size_t n, size_t size,
				 const uintptr_t *frame)
{
	bool traced = wm_enter();
	void *p = NULL;

#ifdef WM_DYNAMIC
	(void)old;
	(void)n;
	(void)size;
	errno = ENOMEM;
#else
	if (__real_reallocarray)
		p = __real_reallocarray(old, n, size);
	else
		errno = ENOMEM;
#endif
	if (traced) {
		wm_rec_alloc(WMT_EV_FAILED, p, SIZE_MAX, frame);
		wm_leave();
	}
	return p;
}

void *WM_SHIM(reallocarray)(void *old, size_t n, size_t size)
{
	size_t bytes;
	void *p;

	if (__builtin_mul_overflow(n, size, &bytes))
		return failed_reallocarray(old, n, size, wm_frame());
	if (WM_REAL_MISSING())
		return boot_realloc(old, bytes);
	if (!wm_enter())
		return real_reallocarray(old, n, size);
	p = traced_realloc(old, n, size, wm_frame());
	wm_leave();
	return p;
}

/* The release is recorded first, as in traced_realloc(). */
void WM_SHIM(free)(void *p)
{
	if (wm_unlikely(!p || wm_boot_owns(p)) || WM_REAL_MISSING())
		return;
	if (!wm_enter()) {
		WM_REAL(free)(p);
		return;
	}
	wm_rec_release(WMT_EV_FREE, p);
	WM_REAL(free)(p);
	wm_leave();
}

/* glibc lacks cfree since 2.26; old programs and other libraries have it. */
#ifdef WM_DYNAMIC
void cfree(void *p)
{
	free(p);
}

/* By the standard these are free(), but the sizes must be right. */
void free_sized(void *p, size_t size)
{
	(void)size;
	free(p);
}

void free_aligned_sized(void *p, size_t align, size_t size)
{
	(void)align;
	(void)size;
	free(p);
}
#else
#define WM_FREE(p, call)                                                       \
	do {                                                                   \
		if (!(p) || !wm_enter()) {                                     \
			call;                                                  \
			break;                                                 \
		}                                                              \
		wm_rec_release(WMT_EV_FREE, p);                                \
		call;                                                          \
		wm_leave();                                                    \
	} while (0)

void __wrap_cfree(void *p)
{
	if (__real_cfree)
		WM_FREE(p, __real_cfree(p));
	else
		__wrap_free(p);
}

void __real_free_sized(void *p, size_t size) __attribute__((weak));
void __real_free_aligned_sized(void *p, size_t align, size_t size)
	__attribute__((weak));

void __wrap_free_sized(void *p, size_t size)
{
	WM_FREE(p, __real_free_sized(p, size));
}

void __wrap_free_aligned_sized(void *p, size_t align, size_t size)
{
	WM_FREE(p, __real_free_aligned_sized(p, align, size));
}
#endif
