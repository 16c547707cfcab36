/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Debug information from servers (debuginfod), by the library of elfutils,
 * which is loaded when first needed.
 *
 * No server is asked before wm_debuginfod_allow().  Any thread afterwards; one
 * request at a time.  A request ends some seconds after the last byte; if a
 * server cannot be reached, no further request is made.
 */
#ifndef WM_ANALYZE_DEBUGINFOD_H
#define WM_ANALYZE_DEBUGINFOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Call before threads start. */
void wm_debuginfod_allow(bool progress);
bool wm_debuginfod_allowed(void);

/*
 * A descriptor of the debug information of the build with this build-id, which
 * the caller closes, and its path in the library's cache, malloc'ed; -1: there
 * is none.  @what: the module's file, for the line of progress.
 */
int wm_debuginfod_fetch(const uint8_t *id, size_t size, const char *what,
			char **path);
/* Why servers could not be asked; NULL: they could, or were not asked. */
const char *wm_debuginfod_why(void);

#endif
