/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file of a module, with its debug information, through libdwfl.  The file
 * is opened only if it is of the build in the trace, or if the user insists;
 * analyze/access/places.h finds it.
 *
 * One thread at a time.  The struct must not be moved while the file is open,
 * as libdwfl points to it.
 */
#pragma once

#include <elfutils/libdwfl.h>
#include <stdbool.h>

#include "analyze/access/places.h"
#include "analyze/lib/trace/paths.h"

struct wm_module_file {
	bool other; /* there is a file, but of another build */
	Dwfl *dwfl;
	Dwfl_Module *mod; /* NULL: not there, or another build */
	bool no_dwarf; /* a part of its DWARF is in a pipe or a device */
	bool stripped; /* neither it nor a debug file has names */
	bool insisted; /* it may be of another build, as the user insists */
	char *path; /* of the file that is open; NULL: none */
	char *debug; /* of the file with its debug information; NULL: in it */
	bool elsewhere; /* path is not the one in the trace */
	char *why; /* which debug information did not match; or NULL */
	GElf_Addr bias;
	/* for libdwfl's questions */
	const struct wm_module *module; /* borrowed, while it is opened */
	struct wm_debug_link link;
	bool asked; /* for debug information */
};

void wm_module_file_open(struct wm_module_file *f, const struct wm_module *m);
void wm_module_file_release(struct wm_module_file *f);
/* Returns whether @compiler made a part of @m, by its debug information. */
bool wm_module_is_by(const struct wm_module *m, const char *compiler);
