/* SPDX-License-Identifier: Apache-2.0 */
/* The second link, which makes app.wm, or app itself with WM_LINK=only.  With
 * WMCC_ACCESS=1 a third link makes app.wma.  Nothing here makes the user's link
 * fail: each failure is one line of warning. */
#pragma once

#include "wmcc/link/ldargs.h"
#include "wmcc/link/program_info.h"

/* Set if nothing is printed when the program is not relinked
 * (wm_args.quiet). */
extern bool wm_twin_quiet;

bool wm_additions_has_mpi(const struct wm_program_info *o);

void wm_additions_release(struct wm_additions *add);

/* Adds -u @symbol. */
void wm_additions_ask(struct wm_additions *add, const char *symbol);

/* Supposes the facts of a program that was not read: it has a heap and an
 * end. */
void wm_additions_suppose(struct wm_program_info *o);

/* Returns whether symbol @i of WM_WRAP_FOUND is wrapped in a static program. */
bool wm_additions_wraps(const struct wm_program_info *o, size_t i);

/* @link is NULL if the compiler runs the linker.  Returns NULL, or the reason
 * for a failure. */
const char *wm_additions_choose(struct wm_additions *add,
				const struct wm_program_info *o,
				const struct wm_ldargs *link);

/* Adds the functions that hooks call.  Returns NULL, or the reason for a
 * failure. */
const char *wm_additions_access(struct wm_additions *add,
				const struct wm_program_info *o);

/* Adds the words of @link that are libraries which the program @plain needs
 * (DT_NEEDED), or linker scripts that name such libraries. */
void wm_needed_find(struct wm_strv *keep, const struct wm_ldargs *link,
		    const char *plain);

/* Relinks with linker @ld.  @map is the map of the plain link, or NULL.
 * @unread is NULL, or an input that only the plain link could read; then
 * nothing is made. */
void wm_twin_link(const char *ld, const struct wm_ldargs *link, const char *map,
		  const char *unread);

/* Relinks without a shim.  @words are the @n words of the compiler, followed by
 * the arguments with which it made @output from objects. */
void wm_twin_again(const char *output, char *const *words, size_t n);

/* Reports why @output, compiled and linked at once, is not relinked. */
void wm_twin_never(const char *output, const char *compiler);
