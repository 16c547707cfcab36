/* SPDX-License-Identifier: Apache-2.0 */
/* Gets debug information from servers (debuginfod) through the library of
 * elfutils, which is loaded when first needed.  No server is asked before
 * wm_debuginfod_allow().  Any thread may ask; one request runs at a time.  A
 * request ends when no byte has come for some seconds.  If a server cannot be
 * reached, there is no further request. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Called before threads start. */
void wm_debuginfod_allow(bool progress);
bool wm_debuginfod_allowed(void);

/* Fetches the debug information of the build @id.  Returns a descriptor, which
 * the caller closes, and stores in *@path the file's path in the library's
 * cache, malloc'ed; or returns -1.  Progress names the module's file @what. */
int wm_debuginfod_fetch(const uint8_t *id, size_t size, const char *what,
			char **path);
/* Returns why servers could not be asked, or NULL. */
const char *wm_debuginfod_why(void);
