/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers operator new and delete in all their forms, for programs in which an
 * allocator (jemalloc, tcmalloc, mimalloc) defines these operators without
 * calling malloc.  This is a separate object: where nothing defines the
 * operators, references to them would break the link.
 *
 * Leaves out operators that a class defines for itself.
 *
 * operator new may throw, so the object is compiled with -fexceptions: then the
 * clean-up runs when an exception passes.
 */
#include "wm/trace_format.h"
#include "wm/wrap_list.h"

#ifdef WM_DYNAMIC
#include <dlfcn.h>
#include <stdbool.h>
#endif
#ifdef WM_PRELOAD
#include <stdlib.h>
#endif

#include "wrappers/shim.h"

typedef const void *nothrow_t; /* a reference */

#ifdef WM_DYNAMIC
struct next {
	const char *name;
	void *function;
	bool bypasses; /* it is in the same library as malloc */
};

#define DECLARE(type, name, args)                                              \
	static struct next next_##name = { #name, NULL, 0 }

static __attribute__((noinline, cold)) void find_next(struct next *n);

#ifdef WM_PRELOAD
/* C++ programs have these two; C programs must not load a library for them. */
__asm__(".weak _Unwind_Resume\n.weak __gcc_personality_v0");

/* The library gets the calls of operators from every program that it is loaded
 * into.  Operators that call malloc are left to malloc: the wrapper jumps to
 * them and leaves no frame. */
#define BYPASSES(name)                                                         \
	({                                                                     \
		if (wm_unlikely(!__atomic_load_n(&next_##name.function,        \
						 __ATOMIC_ACQUIRE)))           \
			find_next(&next_##name);                               \
		next_##name.bypasses;                                          \
	})
#define NEXT(name) ((__typeof__(&name))next_##name.function)
#else
#define BYPASSES(name) 1
/* The next definition of @name, looked up once.  If the allocator lacks this
 * form, the C++ library has it, or it is never called. */
#define NEXT(name)                                                             \
	({                                                                     \
		if (wm_unlikely(!next_##name.function))                        \
			find_next(&next_##name);                               \
		(__typeof__(&name))next_##name.function;                       \
	})
#endif
#else
#define BYPASSES(name) 1
#define NEXT(name) __real_##name
#define DECLARE(type, name, args)                                              \
	extern type __real_##name args __attribute__((weak))
#endif

/* A call that has not returned; @p is known when it returns. */
struct call {
	const uintptr_t *frame;
	size_t size;
	void *p;
};

static void finish_new(struct call *c)
{
	wm_rec_alloc(WMT_EV_NEW, c->p, c->size, c->frame);
	wm_leave();
}

#define NEW(name, args, pass)                                                  \
	DECLARE(void *, name, args);                                           \
	void *WM_SHIM(name)                                                    \
	args wm_export_weak;                                                   \
	void *WM_SHIM(name) args                                               \
	{                                                                      \
		if (!BYPASSES(name) || !wm_enter())                            \
			return NEXT(name) pass;                                \
		__attribute__((cleanup(finish_new))) struct call c = {         \
			wm_frame(), size, NULL                                 \
		};                                                             \
		c.p = NEXT(name) pass;                                         \
		return c.p;                                                    \
	}

NEW(_Znwm, (size_t size), (size))
NEW(_Znam, (size_t size), (size))
NEW(_ZnwmRKSt9nothrow_t, (size_t size, nothrow_t no), (size, no))
NEW(_ZnamRKSt9nothrow_t, (size_t size, nothrow_t no), (size, no))
NEW(_ZnwmSt11align_val_t, (size_t size, size_t align), (size, align))
NEW(_ZnamSt11align_val_t, (size_t size, size_t align), (size, align))
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t,
    (size_t size, size_t align, nothrow_t no), (size, align, no))
NEW(_ZnamSt11align_val_tRKSt9nothrow_t,
    (size_t size, size_t align, nothrow_t no), (size, align, no))

#define DELETE(name, args, pass)                                               \
	DECLARE(void, name, args);                                             \
	void WM_SHIM(name) args wm_export_weak;                                \
	void WM_SHIM(name) args                                                \
	{                                                                      \
		if (!BYPASSES(name) || !p || !wm_enter()) {                    \
			NEXT(name) pass;                                       \
			return;                                                \
		}                                                              \
		wm_rec_release(WMT_EV_DELETE, p);                              \
		NEXT(name) pass;                                               \
		wm_leave();                                                    \
	}

DELETE(_ZdlPv, (void *p), (p))
DELETE(_ZdaPv, (void *p), (p))
DELETE(_ZdlPvm, (void *p, size_t size), (p, size))
DELETE(_ZdaPvm, (void *p, size_t size), (p, size))
DELETE(_ZdlPvRKSt9nothrow_t, (void *p, nothrow_t no), (p, no))
DELETE(_ZdaPvRKSt9nothrow_t, (void *p, nothrow_t no), (p, no))
DELETE(_ZdlPvSt11align_val_t, (void *p, size_t align), (p, align))
DELETE(_ZdaPvSt11align_val_t, (void *p, size_t align), (p, align))
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t,
       (void *p, size_t align, nothrow_t no), (p, align, no))
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t,
       (void *p, size_t align, nothrow_t no), (p, align, no))
DELETE(_ZdlPvmSt11align_val_t, (void *p, size_t size, size_t align),
       (p, size, align))
DELETE(_ZdaPvmSt11align_val_t, (void *p, size_t size, size_t align),
       (p, size, align))

#ifdef WM_DYNAMIC
static void know(struct next *n, void *f)
{
#ifdef WM_PRELOAD
	wm_real_load();
	n->bypasses = wm_of_one_library(n->name, f, "malloc",
					(void *)wm_real.malloc);
#endif
	__atomic_store_n(&n->function, f, __ATOMIC_RELEASE);
}

static void ask_for_next(void *arg)
{
	struct next *n = arg;
#ifdef WM_PRELOAD
	void *f = wm_preload_next(n->name);

	/* There is no such function, and the caller has not checked. */
	if (!f)
		f = n->name[2] == 'd' ? (void *)free : (void *)malloc;
#else
	void *f = wm_look_up(RTLD_NEXT, n->name);
#endif
	if (f)
		know(n, f);
}

static void find_next(struct next *n)
{
	wm_aside(ask_for_next, n);
}

#define X(name, family) &next_##name,
static struct next *const all[] = { WM_WRAP_NEW(X) };
#undef X

static void ask_for_all(void *unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		void *f = wm_look_up(RTLD_NEXT, all[i]->name);

		if (f)
			know(all[i], f);
	}
}

/* Later, the loader would wait for a library that another thread is opening,
 * and that thread may be waiting for this one. */
__attribute__((constructor(101))) static void look_early(void)
{
	wm_aside(ask_for_all, NULL);
}
#endif
