/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gets debug information from servers (debuginfod), by the library of elfutils,
 * which is loaded when first needed.
 *
 * No server is asked before wm_debuginfod_allow().  Any thread afterwards; one
 * request at a time.  A request ends when no byte has come for some seconds; if
 * a server cannot be reached, no further request is made.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Must be called before threads start. */
void wm_debuginfod_allow(bool progress);
bool wm_debuginfod_allowed(void);

/*
 * Fetches the debug information of the build with the build-id @id.  Returns a
 * descriptor, which the caller closes, and stores in *@path the file's path in
 * the library's cache, malloc'ed.  Returns -1 if there is none.  @what is the
 * module's file, for the line of progress.
 */
int wm_debuginfod_fetch(const uint8_t *id, size_t size, const char *what,
			char **path);
/* Returns why servers could not be asked; NULL if they could, or were not
 * asked. */
const char *wm_debuginfod_why(void);
