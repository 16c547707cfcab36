/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a compiler for objects of our own, without its messages. */
#pragma once

/* Returns NULL, or why @argv failed, which the caller frees: the first error
 * that it printed, or its first line. */
char *wm_compiler_run(char *const *argv);
