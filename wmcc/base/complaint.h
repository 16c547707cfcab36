/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a compiler for objects of our own, without its messages.
 *
 * One thread, may allocate.
 */
#pragma once

/*
 * Runs the compiler @argv.  Returns NULL, or the reason why it failed: the
 * first error that it printed, or if there is none its first line.  The caller
 * frees the text.
 */
char *wm_compiler_run(char *const *argv);
