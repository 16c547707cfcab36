/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second link, which makes app.wm, or app itself with WM_LINK=only; with
 * WMCC_ACCESS=1 also a third link, which makes app.wma.
 *
 * One thread, may allocate.  Nothing here makes the user's link fail: each
 * failure is one line of warning.
 */
#pragma once

#include "wmcc/link/ldargs.h"
#include "wmcc/link/program_info.h"

/* Set if no line is printed when the program is not relinked
 * (wm_args.quiet). */
extern bool wm_twin_quiet;

/* Whether the program uses MPI. */
bool wm_additions_has_mpi(const struct wm_program_info *o);

void wm_additions_init(struct wm_additions *add);
void wm_additions_release(struct wm_additions *add);

/* Asks the linker for @symbol by -u. */
void wm_additions_ask(struct wm_additions *add, const char *symbol);

/* Supposes the facts of a program that was not read: it has a heap and an
 * end. */
void wm_additions_suppose(struct wm_program_info *o);

/* Whether symbol number @i of WM_WRAP_FOUND is wrapped in the static program
 * @o. */
bool wm_additions_wraps(const struct wm_program_info *o, size_t i);

/*
 * Chooses the additions that trace a program like @o.  @link is the command
 * line, or NULL if the compiler runs the linker.  Returns NULL, or the reason
 * why it cannot be done.
 */
const char *wm_additions_choose(struct wm_additions *add,
				const struct wm_program_info *o,
				const struct wm_ldargs *link);

/* Adds the functions that objects with access hooks call, for the program @o.
 * Returns NULL, or the reason why it cannot be done. */
const char *wm_additions_access(struct wm_additions *add,
				const struct wm_program_info *o);

/*
 * Relinks with linker @ld after a successful plain link of @link.  @map is the
 * map of the plain link, or NULL.  @unread is NULL, or an input that only the
 * first link could read; then nothing is made.
 */
void wm_twin_link(const char *ld, const struct wm_ldargs *link, const char *map,
		  const char *unread);

/*
 * Relinks without a shim.  @words are the compiler (@n words) and the arguments
 * with which it made @output from objects.
 */
void wm_twin_again(const char *output, char *const *words, size_t n);

/* Reports why @output is not relinked, which @compiler has compiled and linked
 * at once, without a shim. */
void wm_twin_never(const char *output, const char *compiler);
