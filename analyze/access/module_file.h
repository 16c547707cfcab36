/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file of a module, with its debug information, through libdwfl: opened
 * only if it is of the build in the trace, and never from a server.
 *
 * One thread at a time.
 */
#ifndef WM_ANALYZE_MODULE_FILE_H
#define WM_ANALYZE_MODULE_FILE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

#include "analyze/trace/paths.h"

struct wm_module_file {
	bool other; /* it is there, but of another build */
	Dwfl *dwfl;
	Dwfl_Module *mod; /* NULL: not there, or another build */
	bool no_dwarf; /* has more of it in what is no file */
	GElf_Addr bias;
};

void wm_module_file_open(struct wm_module_file *f, const struct wm_module *m);
void wm_module_file_release(struct wm_module_file *f);

#endif
