/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers dlclose in dynamic programs: another library may be loaded in the
 * place of the closed library, so facts about addresses there become invalid.
 * Covers dlopen and dlmopen when they open libraries whose allocations are not
 * seen.
 *
 * The loader looks up a relative name by the caller of dlopen, which must not
 * be the wrapper.  So the wrapper looks at the arguments, and then jumps to the
 * next dlopen with the caller's stack and arguments.
 *
 * The address of the next dlopen is found at the start: later, the loader might
 * wait, with all signals blocked, for a library that another thread is opening.
 */
#ifdef WM_DYNAMIC
#include <dlfcn.h>

#include "runtime/arch/machine.h"
#include WM_MACHINE_HEADER(call_then_jump.h)

#include "wrappers/shim.h"

#define KNOWN(name) (WM_REAL_READY() ? WM_REAL(name) : NULL)

static void before_dlclose(void *next)
{
	if (!*(void **)next)
		*(void **)next = dlsym(RTLD_NEXT, "dlclose");
	wm_library_closing();
}

static void after_dlclose(void *unused)
{
	(void)unused;
	wm_library_closed();
}

wm_export int WM_SHIM(dlclose)(void *handle)
{
	int (*next)(void *) = KNOWN(dlclose), r;

	wm_aside(before_dlclose, &next);
	r = next(handle);
	wm_aside(after_dlclose, NULL);
	return r;
}

/* musl has no such flag, and no namespaces. */
#ifdef RTLD_DEEPBIND
struct opening {
	const char *name, *apart; /* of the function; of the library, or NULL */
	void *next;
};

static void before_opening(void *arg)
{
	struct opening *o = arg;

	if (!o->next)
		o->next = dlsym(RTLD_NEXT, o->name);
	if (o->apart)
		wm_library_apart(o->apart);
}

static void *opening(struct opening o, bool apart, const char *path, int mode)
{
	if (apart && path && !(mode & RTLD_NOLOAD))
		o.apart = path;
	if (!o.next || o.apart)
		wm_aside(before_opening, &o);
	return o.next;
}

void *wm_before_dlopen(const char *path, int mode) wm_hidden;
void *wm_before_dlopen(const char *path, int mode)
{
	struct opening o = { "dlopen", NULL, KNOWN(dlopen) };

	return opening(o, mode & RTLD_DEEPBIND, path, mode);
}

void *wm_before_dlmopen(Lmid_t space, const char *path, int mode) wm_hidden;
void *wm_before_dlmopen(Lmid_t space, const char *path, int mode)
{
	struct opening o = { "dlmopen", NULL, KNOWN(dlmopen) };

	return opening(o, space != LM_ID_BASE || (mode & RTLD_DEEPBIND), path,
		       mode);
}

WM_CALL_THEN_JUMP(dlopen);
WM_CALL_THEN_JUMP(dlmopen);
#endif
#endif
