/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run a linker for a relinked program; the user gets nothing of its output but
 * the reason of a failure.
 *
 * One thread, may allocate.
 */
#ifndef WM_WMCC_LINKER_H
#define WM_WMCC_LINKER_H

#include <stdbool.h>

#include "wmcc/base/strv.h"
#include "wmcc/link/givers.h"

/* The line of a linker's messages with the reason of its failure, shortened. */
char *wm_linker_reason(const char *text);

/* The names besides dlopen for --trace-symbol. */
extern const char *const wm_device_calls[];

/* Run quietly; NULL on success, if the program takes its functions from where
 * @g (or NULL) has them, else why not (caller frees). */
char *wm_linker_run_command(char *const *argv, const struct wm_givers *g);

/* Run @ld with a command line, in a response file beside @near if @response is
 * true. */
char *wm_linker_run(const char *ld, const struct wm_strv *cmd, bool response,
		    const char *near, const struct wm_givers *g);

#endif
