/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps input that can be read only once, as links read it twice: response
 * files that are pipes, and linker scripts from standard input or <(...).  The
 * copies live as long as the process. */
#pragma once

#include <stdbool.h>

/* Replaces each @FILE in @argv that is a pipe by @/dev/fd/N with the same
 * bytes, which all programs that inherit it can read. */
void wm_once_response(char **argv);

/* Keeps the contents of @name, an input of the linker, if it is a pipe among
 * our descriptors (/dev/stdin, /dev/fd/N, /proc/self/fd/N).  Returns false if
 * only one link can read @name. */
bool wm_once_keep(const char *name);

/* Called before and after each program that reads the kept input.  Makes the
 * descriptors pipes with the same bytes again.  Files would not do: GNU ld
 * takes no object from a pipe, and gold takes a pipe for an empty file. */
void wm_once_offer(void);
void wm_once_withdraw(void);

/* Returns whether the linker reads from standard input. */
bool wm_once_stdin(void);
