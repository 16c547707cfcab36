/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a linker for a relinked program.  The user sees only the reason of a
 * failure. */
#pragma once

#include <stdbool.h>

#include "wmcc/base/strv.h"
#include "wmcc/link/givers.h"

/* Returns the line with the reason of a linker's failure, shortened. */
char *wm_linker_reason(const char *text);

/* Names for --trace-symbol in addition to dlopen; NULL ends the list. */
extern const char *const wm_device_calls[];

/* Returns NULL on success if the program takes its functions from the objects
 * in @g, or if @g is NULL; otherwise the reason, which the caller frees. */
char *wm_linker_run_command(char *const *argv, const struct wm_givers *g);

/* Runs @ld with @cmd, which is in a response file beside @near if @response. */
char *wm_linker_run(const char *ld, const struct wm_strv *cmd, bool response,
		    const char *near, const struct wm_givers *g);
