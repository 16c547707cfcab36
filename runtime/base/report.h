/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The messages of the runtime on stderr: at the end of the run, one line by
 * rank 0 or by the only process if something was lost; and the table of
 * WM_SUMMARY.
 *
 * Any thread may call these functions.  They write nothing if descriptor 2 is
 * no longer the same file, or if a write would wait.
 */
#pragma once

#include <stddef.h>

#include "runtime/base/attributes.h"

/* Remembers the file of stderr. */
void wm_report_start(void) wm_hidden;
/* Prints a line if something was lost, or if a variable's value is bad. */
void wm_report_losses(void) wm_hidden;
/* Prints a line for the user, from the rank that the caller has chosen. */
void wm_report_line(const char *what) wm_hidden;
/* Prints a line for the user, only from rank 0. */
void wm_report_say(const char *what) wm_hidden;
/* Prints @n bytes in one write. */
void wm_report_text(const char *text, size_t n) wm_hidden;
