/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the command that compiles a source with access hooks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "wmcc/access/hooked.h"
#include "wmcc/base/strv.h"

enum wm_hook_family {
	WM_HOOKS_NONE,
	WM_HOOKS_GCC, /* gcc, g++, gfortran */
	WM_HOOKS_CLANG,
};

/* Runs the compiler @words if the object of @size @bytes does not show it. */
enum wm_hook_family wm_hook_family(const struct wm_strv *words,
				   const char *bytes, size_t size);

/* Returns whether the user wants a sanitizer that excludes access hooks. */
bool wm_hook_has_sanitizer(const struct wm_compile *c);

/* Returns why source @i cannot be compiled a second time, or NULL if it can. */
const char *wm_hook_clash(const struct wm_compile *c, size_t i);

/* Makes the command that compiles source @i into @file.  The compiler writes
 * all other files into the folder @work, which is removed. */
void wm_hook_command(struct wm_strv *cmd, const struct wm_compile *c, size_t i,
		     enum wm_hook_family family, const char *work,
		     const char *file);

/* Makes the hooked object @path call memcpy, strlen and similar functions, and
 * MPI, by names of ours (wm/block_list.h, wm/mpi_list.h), so that only calls
 * from hooked objects are recorded.  Returns 0; 1 if @path is no ELF64 object
 * with a symbol table, and stays unchanged; or -1 with errno. */
int wm_block_calls_rename(const char *path);
