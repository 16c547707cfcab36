/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs of a compiler for objects of our own, without its messages.
 *
 * One thread, may allocate.
 */
#ifndef WM_WMCC_COMPLAINT_H
#define WM_WMCC_COMPLAINT_H

/*
 * Run the compiler @argv.  NULL, or why it failed: the first error that it
 * printed, or else its first line; the caller frees it.
 */
char *wm_compiler_run(char *const *argv);

#endif
