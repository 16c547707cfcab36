/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers __libc_start_main in static programs of glibc.  It runs the resolvers
 * of IFUNCs, which may call wrappers, so wrappers must be ready before.
 *
 * Leaves out dynamic programs, whose loader makes the thread's storage before
 * it calls a resolver.
 */
#ifndef WM_DYNAMIC
#include "wrappers/shim.h"

typedef int main_function(int, char **, char **);

WM_WRAPPED(int, __libc_start_main, main_function *start, int argc, char **argv,
	   void (*init)(void), void (*fini)(void), void (*loader_fini)(void),
	   void *stack);

int __wrap___libc_start_main(main_function *start, int argc, char **argv,
			     void (*init)(void), void (*fini)(void),
			     void (*loader_fini)(void), void *stack)
{
	wm_early_begin(argv);
	return __real___libc_start_main(start, argc, argv, init, fini,
					loader_fini, stack);
}
#endif
