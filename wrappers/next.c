/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For dynamic programs: finds the next function if its library may be absent,
 * is loaded late, or is visible only to its user.
 *
 * A library that was loaded with RTLD_LOCAL, as modules of interpreters are, is
 * not in the order of RTLD_NEXT: only its users find it.  Libraries that were
 * loaded with the program remain loaded, and all other libraries come after
 * them.
 */
#ifdef WM_DYNAMIC
#include <dlfcn.h>
#include <errno.h>

#include "wrappers/shim.h"

struct wanted {
	const char *name;
	const void *caller;
	const char *file;
	void *found;
	bool stays;
};

void *wm_look_in(const char *file, const char *name)
{
	void *handle = dlopen(file, RTLD_LAZY | RTLD_NOLOAD), *p;

	if (!handle)
		return NULL;
	p = wm_look_up(handle, name);
	dlclose(handle);
	return p;
}

static void find_next(void *arg)
{
	struct wanted *w = arg;
	Dl_info who;

	w->found = wm_look_up_start(w->name);
	w->stays = w->found != NULL;
	if (!w->found)
		w->found = wm_look_up(RTLD_NEXT, w->name);
	if (w->found)
		return;
	if (dladdr(w->caller, &who) && who.dli_fname)
		w->found = wm_look_in(who.dli_fname, w->name);
	if (w->found && dladdr(w->found, &who))
		w->file = who.dli_fname;
}

void *wm_next(void *_Atomic *kept, const char *name, const void *caller,
	      const char **file)
{
	struct wanted w = { .name = name, .caller = caller };
	void *p = *kept;
	int saved = errno;

	if (p)
		return p;
	wm_aside(find_next, &w);
	errno = saved;
	if (w.stays)
		*kept = w.found;
	if (file && w.file)
		*file = w.file;
	return w.found;
}
#endif
