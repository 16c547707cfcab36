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

wm_export int WM_SHIM(dlclose)(void *handle)
{
	int (*next)(void *) = (int (*)(void *))dlsym(RTLD_NEXT, "dlclose");
	int r;

	wm_library_closing();
	r = next(handle);
	wm_library_closed();
	return r;
}
#endif
