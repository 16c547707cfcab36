/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second link: app.wm, or app itself with WM_LINK=only; and with
 * WMCC_ACCESS=1 a third one: app.wma.
 *
 * One thread, may allocate.  Nothing here fails the user's link: each failure
 * is one line of warning.
 */
#ifndef WM_WMCC_TWIN_H
#define WM_WMCC_TWIN_H

#include "wmcc/link/ldargs.h"
#include "wmcc/link/program_info.h"

/* No line if the program is not relinked: see wm_args.quiet. */
extern bool wm_twin_quiet;

/* Does the program use MPI? */
bool wm_additions_has_mpi(const struct wm_program_info *o);

void wm_additions_init(struct wm_additions *add);
void wm_additions_release(struct wm_additions *add);

/* Ask the linker for @symbol by -u. */
void wm_additions_ask(struct wm_additions *add, const char *symbol);

/* A program that was not read is supposed to have a heap and an end. */
void wm_additions_suppose(struct wm_program_info *o);

/* Is symbol number @i of WM_WRAP_FOUND wrapped in the static program @o? */
bool wm_additions_wraps(const struct wm_program_info *o, size_t i);

/*
 * The additions that trace a program like @o.  @link: the command line, or NULL
 * if the compiler runs the linker.  Returns NULL, or why it cannot be done.
 */
const char *wm_additions_choose(struct wm_additions *add,
				const struct wm_program_info *o,
				const struct wm_ldargs *link);

/* The functions that objects with access hooks call, for the program @o.  NULL,
 * or why it cannot be done. */
const char *wm_additions_access(struct wm_additions *add,
				const struct wm_program_info *o);

/*
 * After a successful plain link of @link: relink with linker @ld.  @map: from
 * the plain link, or NULL.  @unread: NULL, or an input that only the first link
 * could read: then nothing is made.
 */
void wm_twin_link(const char *ld, const struct wm_ldargs *link, const char *map,
		  const char *unread);

/*
 * The same without a shim: @words are the compiler (@n words) and the arguments
 * with which it made @output from objects.
 */
void wm_twin_again(const char *output, char *const *words, size_t n);

/* @compiler has compiled and linked @output at once, without a shim: report why
 * it is not relinked. */
void wm_twin_never(const char *output, const char *compiler);

#endif
