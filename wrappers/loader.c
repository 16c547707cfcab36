/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers dlclose, in dynamic programs: another library may come to the place
 * of the one that goes, and what is known of the addresses there is void.
 *
 * Leaves out dlopen: the loader looks up a relative name by who calls it, and
 * that would be us.
 */
#ifdef WM_DYNAMIC
#include <dlfcn.h>

#include "wrappers/shim.h"

static void before_dlclose(void *next)
{
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
	int (*next)(void *), r;

	wm_aside(before_dlclose, &next);
	r = next(handle);
	wm_aside(after_dlclose, NULL);
	return r;
}
#endif
