/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A linker that is run for a twin: nothing of what it prints is for the user
 * but the reason why it failed.
 *
 * One thread, may allocate.
 */
#ifndef WM_WMCC_LINKER_H
#define WM_WMCC_LINKER_H

#include <stdbool.h>

#include "wmcc/base/strv.h"
#include "wmcc/link/givers.h"

/* The line of a linker's messages that says why it failed, shortened. */
char *wm_linker_reason(const char *text);

/* The names that are asked for by --trace-symbol beside dlopen. */
extern const char *const wm_device_calls[];

/* Run quietly; NULL when it went well and the program is the one that @g (or
 * NULL) knows, else why not (caller frees). */
char *wm_linker_run_command(char *const *argv, const struct wm_givers *g);

/* Run @ld on a command line, through a response file beside @near where
 * @response is true. */
char *wm_linker_run(const char *ld, const struct wm_strv *cmd, bool response,
		    const char *near, const struct wm_givers *g);

#endif
