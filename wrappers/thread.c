/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers pthread_create in dynamic programs, for the stacks of threads; in
 * static programs the mapping itself is seen (libc_growth.c).  This is a
 * separate object, linked if the plain program uses threads.
 *
 * The record is an estimate: size and address follow from the attributes and
 * from glibc's choice to put a thread's descriptor at the end of the stack's
 * last page.  A stack counts until another stack takes its place, because the C
 * library keeps many stacks of ended threads for new threads.  Stacks that the
 * program provides are its own memory and are not recorded here.
 *
 * If the program has given a name to its next block, the name waits until the C
 * library has allocated what a thread needs.  Leaves out names after which the
 * thread has had another event, and static programs, whose pthread_create is
 * not wrapped.
 */
#ifdef WM_DYNAMIC
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

#include "wm/trace_format.h"

#include "wrappers/shim.h"

#define PAGE 4096ul

/* Weak: if the C library lacks one of these, stacks are not recorded. */
#pragma weak pthread_getattr_default_np
#pragma weak pthread_attr_getstack
#pragma weak pthread_attr_getstacksize
#pragma weak pthread_attr_getguardsize
#pragma weak pthread_attr_destroy

static bool has_all(void)
{
	return pthread_getattr_default_np && pthread_attr_getstack &&
	       pthread_attr_getstacksize && pthread_attr_getguardsize &&
	       pthread_attr_destroy;
}

/* Returns the bytes that glibc maps for a stack by @attr, or 0 if none. */
static size_t mapping_of(const pthread_attr_t *attr)
{
	size_t size = 0, asked = 0, guard = 0;
	void *addr = NULL;

	/* Without a stack from the program the address is 0 less the size. */
	if (pthread_attr_getstack(attr, &addr, &asked) ||
	    (uintptr_t)addr + asked != 0 ||
	    pthread_attr_getstacksize(attr, &size) ||
	    pthread_attr_getguardsize(attr, &guard))
		return 0;
	return ((size + PAGE - 1) & ~(PAGE - 1)) +
	       ((guard + PAGE - 1) & ~(PAGE - 1));
}

static void record_stack(pthread_t thread, const pthread_attr_t *attr,
			 const uintptr_t *frame)
{
	uintptr_t end = ((uintptr_t)thread | (PAGE - 1)) + 1;
	pthread_attr_t usual;
	size_t size = 0;

	if (!has_all())
		return;
	if (attr) {
		size = mapping_of(attr);
	} else if (pthread_getattr_default_np(&usual) == 0) {
		size = mapping_of(&usual);
		pthread_attr_destroy(&usual);
	}
	if (size && size < end)
		wm_rec_alloc(WMT_EV_THREAD_STACK, (void *)(end - size), size,
			     frame);
}

static __typeof__(&pthread_create) next;

/* The loader takes more than 1 KiB of stack to answer. */
static void find_next(void *unused)
{
	(void)unused;
	*(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
}

/* Called early: later, the loader may wait for a thread that is opening a
 * library, with all signals of this thread blocked. */
__attribute__((constructor(101))) static void look_early(void)
{
	wm_aside(find_next, NULL);
}

wm_export_weak int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
				  void *(*start)(void *), void *arg)
{
	bool held = false;
	int r;

	if (!next)
		wm_aside(find_next, NULL);
	/* The C library allocates for the thread, which is not named. */
	if (wm_enter()) {
		held = wm_annotate_next_hold(true);
		wm_leave();
	}
	r = next(thread, attr, start, arg);
	if ((r == 0 || held) && wm_enter()) {
		if (r == 0)
			record_stack(*thread, attr, wm_frame());
		if (held)
			wm_annotate_next_hold(false);
		wm_leave();
	}
	return r;
}
#endif
