/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hooks that -fsanitize=thread calls before a load or a store.
 *
 * Covered: all that gcc 12 and clang 14 call; atomic operations are in
 * atomic.c, functions in access_frames.c, and calls of programs that are built
 * with the sanitizer in interface.c.  Left out: clang's hooks for Objective-C.
 */
#include "runtime/access/access.h"

void __tsan_vptr_update(void **vptr, void *value);
void __tsan_vptr_read(void **vptr);

WM_ACCESS_EXPORT(void, __tsan_init, void)
{
}

#define HOOK(name, n, kind)                                                    \
	void __tsan_##name##n(void *p);                                        \
	WM_ACCESS_HOOK void __tsan_##name##n(void *p)                          \
	{                                                                      \
		wm_access_at((uintptr_t)p, WM_ACCESS_KEY(WM_ACCESS_CALLER, 0), \
			     WM_ACCESS_WHAT(kind, PLAIN, n));                  \
	}
#define HOOKS(n)                                                               \
	HOOK(read, n, READ)                                                    \
	HOOK(write, n, WRITE)                                                  \
	HOOK(read_write, n, MODIFY)                                            \
	HOOK(volatile_read, n, READ)                                           \
	HOOK(volatile_write, n, WRITE)                                         \
	HOOK(unaligned_read, n, READ)                                          \
	HOOK(unaligned_write, n, WRITE)                                        \
	HOOK(unaligned_read_write, n, MODIFY)                                  \
	HOOK(unaligned_volatile_read, n, READ)                                 \
	HOOK(unaligned_volatile_write, n, WRITE)
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

WM_ACCESS_HOOK void __tsan_vptr_update(void **vptr, void *value)
{
	(void)value;
	wm_access_at((uintptr_t)vptr, WM_ACCESS_KEY(WM_ACCESS_CALLER, 0),
		     WM_ACCESS_WHAT(WRITE, PLAIN, sizeof(*vptr)));
}

WM_ACCESS_HOOK void __tsan_vptr_read(void **vptr)
{
	wm_access_at((uintptr_t)vptr, WM_ACCESS_KEY(WM_ACCESS_CALLER, 0),
		     WM_ACCESS_WHAT(READ, PLAIN, sizeof(*vptr)));
}

/* Returns the thread's stream if it records and no hook is at work. */
static struct wm_access_stream *resting(void)
{
	uintptr_t self = wm_access_self;
	struct wm_access_stream *s = (void *)(self - 1);

	return self & 1 && s != &wm_access_none ? s : NULL;
}

/* Remembers a range that a hook has recorded: gcc may copy or set a struct by
 * memcpy or memset after its hooks, which would be recorded again. */
static void tell(const void *p, size_t bytes, unsigned kind)
{
	struct wm_access_stream *s = resting();

	if (s)
		s->told[kind] = (struct wm_access_told){ (uintptr_t)p, bytes,
							 s->count };
}

static bool is_told(const struct wm_access_told *t, const void *p, size_t bytes)
{
	return t->bytes == bytes && t->addr == (uintptr_t)p;
}

bool wm_access_told(const void *to, const void *from, size_t bytes)
{
	struct wm_access_stream *s = resting();
	struct wm_access_told *r, *w;
	uint64_t last;

	if (!s || !bytes)
		return false;
	r = &s->told[WMA_READ];
	w = &s->told[WMA_WRITE];
	if (!is_told(w, to, bytes) || (from && !is_told(r, from, bytes)))
		return false;
	/* No access may have followed. */
	last = from && r->count > w->count ? r->count : w->count;
	if (last != s->count || (from && r->count + w->count + 1 != 2 * last))
		return false;
	w->bytes = 0;
	return true;
}

WM_ACCESS_EXPORT(void, __tsan_read_range, void *p, size_t bytes)
{
	wm_access_range(p, bytes, WM_ACCESS_CALLER,
			WM_ACCESS_WHAT(READ, RANGE, 0));
	tell(p, bytes, WMA_READ);
}

WM_ACCESS_EXPORT(void, __tsan_write_range, void *p, size_t bytes)
{
	wm_access_range(p, bytes, WM_ACCESS_CALLER,
			WM_ACCESS_WHAT(WRITE, RANGE, 0));
	tell(p, bytes, WMA_WRITE);
}

/* clang calls these for operations that it would otherwise make inline. */
#define COPY(name)                                                             \
	WM_ACCESS_EXPORT(void *, __tsan_##name, void *to, const void *from,    \
			 size_t bytes)                                         \
	{                                                                      \
		wm_access_range(from, bytes, WM_ACCESS_CALLER,                 \
				WM_ACCESS_WHAT(READ, BLOCK, 0));               \
		wm_access_range(to, bytes, WM_ACCESS_CALLER,                   \
				WM_ACCESS_WHAT(WRITE, BLOCK, 0));              \
		return __builtin_##name(to, from, bytes);                      \
	}
COPY(memcpy)
COPY(memmove)

WM_ACCESS_EXPORT(void *, __tsan_memset, void *to, int c, size_t bytes)
{
	wm_access_range(to, bytes, WM_ACCESS_CALLER,
			WM_ACCESS_WHAT(WRITE, BLOCK, 0));
	return __builtin_memset(to, c, bytes);
}
