/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a module with its debug information, through libdwfl.  A file of
 * another build than in the trace is opened only if the user insists.  One
 * thread at a time.  The struct must not move while libdwfl points to it. */
#pragma once

#include <elfutils/libdwfl.h>
#include <stdbool.h>

#include "analyze/access/places.h"
#include "analyze/lib/trace/paths.h"

struct wm_module_file {
	bool other; /* there is only a file of another build */
	Dwfl *dwfl;
	Dwfl_Module *mod; /* NULL: no file */
	bool no_dwarf; /* a part of its DWARF is in a pipe or a device */
	bool stripped; /* no names in it or in a debug file */
	bool insisted; /* may be of another build, as the user insists */
	char *path; /* the open file; NULL: none */
	char *debug; /* separate file with debug information; NULL: none */
	bool elsewhere; /* .path is not the path in the trace */
	char *why; /* debug information that did not match, or NULL */
	GElf_Addr bias;
	/* for libdwfl's callbacks */
	const struct wm_module *module; /* borrowed, only while opening */
	struct wm_debug_link link;
	bool asked; /* for debug information */
};

void wm_module_file_open(struct wm_module_file *f, const struct wm_module *m);
void wm_module_file_release(struct wm_module_file *f);
/* Returns whether debug information names @compiler for a part of @m. */
bool wm_module_is_by(const struct wm_module *m, const char *compiler);
