/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime's messages on stderr.  Nothing is written if descriptor 2 is no
 * longer the same file, or if a write would wait.  Any thread. */
#pragma once

#include <stddef.h>

#include "runtime/base/attributes.h"

void wm_report_start(void) wm_hidden;
/* Prints a line if something was lost, or if a variable's value is bad.  Only
 * rank 0, or the only process, prints. */
void wm_report_losses(void) wm_hidden;
/* Prints a line from this process, whatever its rank. */
void wm_report_line(const char *what) wm_hidden;
/* Prints a line if this is rank 0. */
void wm_report_say(const char *what) wm_hidden;
void wm_report_text(const char *text, size_t n) wm_hidden;
