/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers _exit and _Exit.  In static programs exit() and quick_exit() also call
 * them, after all handlers; in dynamic programs runtime/entry.c has handlers
 * for that.  Covers abort, which is noted in the crash buffer; the process ends
 * as it would without us, and its last events are in the same place as those of
 * a killed process.
 *
 * Leaves out signals, which end a process at once; fork, whose children are
 * recognised without interception (runtime/base/state.h; daemon.c has the
 * exception); and the exec and posix_spawn families, system and popen: a
 * process that replaces its image leaves its last events in the same place as a
 * killed process.
 */
#include "wrappers/shim.h"

void WM_SHIM(_exit)(int status) wm_export __attribute__((noreturn));
void WM_SHIM(_Exit)(int status) wm_export __attribute__((noreturn));
void WM_SHIM(abort)(void) wm_export_weak __attribute__((noreturn));

#ifndef WM_DYNAMIC
void __real__exit(int status) __attribute__((noreturn, weak));
void __real__Exit(int status) __attribute__((noreturn, weak));
void __real_abort(void) __attribute__((noreturn, weak));
#endif

/* Each calls its own next function: musl's _exit() calls _Exit(), a wrapper. */
#define WM_END(name, status)                                                   \
	do {                                                                   \
		wm_process_exits(status);                                      \
		wm_real_load();                                                \
		WM_REAL(name)(status);                                         \
		__builtin_unreachable();                                       \
	} while (0)

void WM_SHIM(_exit)(int status)
{
	WM_END(_exit, status);
}

void WM_SHIM(_Exit)(int status)
{
	WM_END(_Exit, status);
}

void WM_SHIM(abort)(void)
{
	wm_process_aborts();
	wm_real_load();
	if (!WM_REAL(abort))
		__builtin_trap();
	WM_REAL(abort)();
	__builtin_unreachable();
}
