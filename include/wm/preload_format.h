/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options that wm-run passes to its library in a variable of the
 * environment.  Both remove the variable.  Not for users.
 *
 *   [f][:NAME]...   f: children of a traced program are traced, too;
 *                   NAME: trace programs of this name, and no others
 */
#ifndef WM_PRELOAD_FORMAT_H
#define WM_PRELOAD_FORMAT_H

#define WM_PRELOAD_LIBRARY "libwmtrace.so"
#define WM_PRELOAD_ENV "WMRUN_RULES"
#define WM_PRELOAD_FOLLOW 'f'
#define WM_PRELOAD_NEXT ':'

#endif
