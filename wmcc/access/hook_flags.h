/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the command that compiles a source with access hooks from the user's
 * own command.
 *
 * One thread, may allocate.
 */
#pragma once

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

/* Returns the compiler that made the object of @size @bytes.  If the bytes do
 * not show it, asks the compiler @words. */
enum wm_hook_family wm_hook_family(const struct wm_strv *words,
				   const char *bytes, size_t size);

/* Whether the user asks for a sanitizer that excludes our hooks. */
bool wm_hook_has_sanitizer(const struct wm_compile *c);

/* Returns the reason why source number @i cannot be compiled a second time, or
 * NULL if it can. */
const char *wm_hook_clash(const struct wm_compile *c, size_t i);

/*
 * Makes the command that compiles source number @i into @file.  Compilers write
 * all other files into the work folder @work, where they are thrown away.
 */
void wm_hook_command(struct wm_strv *cmd, const struct wm_compile *c, size_t i,
		     enum wm_hook_family family, const char *work,
		     const char *file);
