/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out whether the process of a trace still runs.  Any thread. */
#pragma once

#include <stdint.h>

enum wm_running {
	WM_RUNNING_UNKNOWN, /* on another machine, or before its last boot */
	WM_RUNNING_NO,
	WM_RUNNING_YES,
};

/* The trace's data about its process; a text is NULL if unknown. */
struct wm_process_mark {
	const char *boot_id, *host; /* host: NULL compares only the boot id */
	const char *exe;
	uint64_t pid;
	uint64_t start_ns; /* CLOCK_MONOTONIC when tracing began; 0: unknown */
};

enum wm_running wm_process_running(const struct wm_process_mark *p);
