/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps input that can be read only once, for links that read it twice:
 * response files that are pipes, and linker scripts from standard input or
 * <(...).
 *
 * One thread, may allocate.  The copies live as long as the process.
 */
#pragma once

#include <stdbool.h>

/*
 * Replaces each @FILE in @argv that is a pipe by @/dev/fd/N, which has the same
 * bytes and can be read by us and by all programs that we start.
 */
void wm_once_response(char **argv);

/*
 * Keeps the contents of @name, a file that the linker will read.  If @name
 * denotes a pipe among our descriptors (/dev/stdin, /dev/fd/N,
 * /proc/self/fd/N), reads the pipe to its end.  Returns false if it is a pipe
 * that only one link can read.
 */
bool wm_once_keep(const char *name);

/*
 * Called before and after each program that reads the kept input: the
 * descriptors are pipes again, with the same bytes.  A linker can distinguish a
 * pipe from a file: GNU ld takes no object from a pipe, and gold takes a pipe
 * for an empty file.
 */
void wm_once_offer(void);
void wm_once_withdraw(void);

/* Whether the linker reads from standard input. */
bool wm_once_stdin(void);
