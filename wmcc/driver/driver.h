/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler driver: runs the real compiler so that it links through the
 * linker shim; and the output of wmcc about itself. */
#pragma once

#include <stdbool.h>

#include "wmcc/base/args.h"
#include "wmcc/base/strv.h"

/* The compiler that belongs to the name of the command. */
struct wm_personality {
	const char *name; /* as in argv[0] */
	const char *variable; /* WM_CC, WM_CXX or WM_FC */
	const char *compiler; /* chosen by @name; NULL: by @variable */
};

/* @words are the real compiler, @argv the user's arguments without argv[0]. */
__attribute__((noreturn)) void wm_driver(const struct wm_personality *p,
					 const struct wm_strv *words,
					 char **argv);

/* -show: prints the command that would be run, quoted for a shell. */
__attribute__((noreturn)) void wm_show_command(const struct wm_personality *p,
					       const struct wm_strv *words,
					       const struct wm_args *a,
					       char **argv);

__attribute__((noreturn)) void wm_show_help(void);
__attribute__((noreturn)) void wm_show_version(void);

int wm_config(char **argv);

/* Programs that a configure script links are probes, whatever their names are.
 * Returns whether configure or Configure is an ancestor of this process, with
 * no build tool between them. */
bool wm_below_configure(void);

bool wm_in_probe_folder(void);

/* Returns whether no compiler was chosen, but MPI has one for this language. */
bool wm_mpi_advice_possible(const struct wm_personality *p);

/* Called after the compiler has failed.  @args is expanded.  Prints a line if
 * mpi.h, mpif.h or the module mpi was missing. */
void wm_mpi_advise(const struct wm_personality *p, const struct wm_strv *words,
		   char *const *args);
