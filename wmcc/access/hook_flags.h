/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command that compiles a source with access hooks, from the user's own.
 *
 * One thread, may allocate.
 */
#ifndef WM_WMCC_HOOK_FLAGS_H
#define WM_WMCC_HOOK_FLAGS_H

#include <stdbool.h>
#include <stddef.h>

#include "wmcc/access/hooked.h"
#include "wmcc/base/strv.h"

/* Compilers whose hooks are known. */
enum wm_hook_family {
	WM_HOOKS_NONE,
	WM_HOOKS_GCC, /* gcc, g++, gfortran */
	WM_HOOKS_CLANG,
};

/* The compiler that made the object of @size @bytes; if they do not show it, by
 * asking the compiler @words. */
enum wm_hook_family wm_hook_family(const struct wm_strv *words,
				   const char *bytes, size_t size);

/* Does the user ask for a sanitizer that excludes hooks of ours? */
bool wm_hook_has_sanitizer(const struct wm_compile *c);

/* Why source number @i cannot be compiled a second time; NULL: it can. */
const char *wm_hook_clash(const struct wm_compile *c, size_t i);

/*
 * The command for source number @i: into @file; compilers write all else into
 * the work folder @work, where it is thrown away.
 */
void wm_hook_command(struct wm_strv *cmd, const struct wm_compile *c, size_t i,
		     enum wm_hook_family family, const char *work,
		     const char *file);

#endif
