/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers _exit and _Exit: in static programs exit() ends there, too, after
 * all handlers.
 *
 * Leaves out abort and signals, which end a process on the spot, and fork:
 * children are recognised without interception (runtime/state.h).
 */
#include "wrappers/shim.h"

void WM_SHIM(_exit)(int status) wm_export __attribute__((noreturn));
void WM_SHIM(_Exit)(int status) wm_export __attribute__((noreturn));

#ifndef WM_DYNAMIC
void __real__exit(int status) __attribute__((noreturn));
#endif

void WM_SHIM(_exit)(int status)
{
	wm_process_end("exit");
#ifdef WM_DYNAMIC
	wm_real_load();
	WM_REAL(_exit)(status);
	__builtin_unreachable();
#else
	WM_REAL(_exit)(status);
#endif
}

void WM_SHIM(_Exit)(int status)
{
	WM_SHIM(_exit)(status);
}
