/* SPDX-License-Identifier: Apache-2.0 */
/* Output about wmcc itself: -show, --wm-help, --wm-version, and wm-config.  All
 * but wm_config() end the process. */
#pragma once

#include "wmcc/base/args.h"
#include "wmcc/driver/personality.h"

/* -show: prints the command that would be run, quoted for a shell. */
__attribute__((noreturn)) void wm_show_command(const struct wm_personality *p,
					       const struct wm_strv *words,
					       const struct wm_args *a,
					       char **argv);

__attribute__((noreturn)) void wm_show_help(void);
__attribute__((noreturn)) void wm_show_version(void);

int wm_config(char **argv);
