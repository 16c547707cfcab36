/* SPDX-License-Identifier: Apache-2.0 */
/* Covers posix_memalign, aligned_alloc, memalign, valloc, pvalloc.  Aligned
 * operator new calls aligned_alloc. */
#include <errno.h>
#include <stdbool.h>
#include <sys/auxv.h>

#include "wm/trace_format.h"

#include "wrappers/shim.h"

WM_WRAPPED(int, posix_memalign, void **p, size_t align, size_t size);
WM_WRAPPED(void *, aligned_alloc, size_t align, size_t size);
WM_WRAPPED(void *, memalign, size_t align, size_t size);
WM_WRAPPED(void *, valloc, size_t size);
WM_WRAPPED(void *, pvalloc, size_t size);

/* Uses any function of the allocator for aligned blocks. */
static void *any_aligned(size_t align, size_t size)
{
	void *p = NULL;
	int r;

	if (WM_REAL(memalign))
		return WM_REAL(memalign)(align, size);
	if (WM_REAL(posix_memalign)) {
		r = WM_REAL(posix_memalign)(&p, align, size);
		if (r)
			errno = r;
		return r ? NULL : p;
	}
	if (WM_REAL(aligned_alloc))
		return WM_REAL(aligned_alloc)(align, size);
	errno = ENOMEM;
	return NULL;
}

static size_t page_size(void)
{
	return getauxval(AT_PAGESZ);
}

int WM_SHIM(posix_memalign)(void **out, size_t align, size_t size)
{
	int r;
	bool traced;

	if (WM_REAL_MISSING()) {
		*out = wm_boot_alloc(size, align);
		return *out ? 0 : ENOMEM;
	}
	traced = wm_enter();
	if (WM_REAL(posix_memalign)) {
		r = WM_REAL(posix_memalign)(out, align, size);
	} else {
		int saved = errno;
		void *p = any_aligned(align, size);

		r = p ? 0 : ENOMEM;
		if (p)
			*out = p;
		errno = saved;
	}
	if (traced) {
		if (r != EINVAL)
			wm_rec_alloc(WMT_EV_ALIGNED, r ? NULL : *out, size,
				     wm_frame());
		wm_leave();
	}
	return r;
}

/* The body of the other functions; @call allocates.  A call with an invalid
 * alignment did not fail for want of memory, so it is not recorded. */
#define WM_ALIGNED(align, size, call)                                          \
	do {                                                                   \
		void *p_;                                                      \
		if (WM_REAL_MISSING())                                         \
			return wm_boot_alloc(size, align);                     \
		if (!wm_enter())                                               \
			return call;                                           \
		p_ = call;                                                     \
		if (p_ || errno != EINVAL)                                     \
			wm_rec_alloc(WMT_EV_ALIGNED, p_, size, wm_frame());    \
		wm_leave();                                                    \
		return p_;                                                     \
	} while (0)

void *WM_SHIM(aligned_alloc)(size_t align, size_t size)
{
	WM_ALIGNED(align, size,
		   WM_REAL(aligned_alloc) ?
			   WM_REAL(aligned_alloc)(align, size) :
			   any_aligned(align, size));
}

void *WM_SHIM(memalign)(size_t align, size_t size)
{
	WM_ALIGNED(align, size, any_aligned(align, size));
}

void *WM_SHIM(valloc)(size_t size)
{
	WM_ALIGNED(page_size(), size,
		   WM_REAL(valloc) ? WM_REAL(valloc)(size) :
				     any_aligned(page_size(), size));
}

void *WM_SHIM(pvalloc)(size_t size)
{
	size_t whole = (size + page_size() - 1) & ~(page_size() - 1);

	WM_ALIGNED(page_size(), size,
		   WM_REAL(pvalloc) ? WM_REAL(pvalloc)(size) :
				      any_aligned(page_size(), whole));
}
