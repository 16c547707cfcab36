/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the plain program is: read from the executable instead of guessed from
 * the command line.
 *
 * One thread, may allocate; owns nothing after wm_oracle_read() returns.
 */
#ifndef WM_WMCC_ORACLE_H
#define WM_WMCC_ORACLE_H

#include <stdbool.h>
#include <stddef.h>

#include "wm/wrap_list.h"

/* Position of a symbol in WM_WRAP_MPI. */
#define WM_X(name, family) WM_MPI_##name,
enum wm_mpi_symbol { WM_WRAP_MPI(WM_X) WM_MPI_SYMBOLS };
#undef WM_X
extern const char *const wm_mpi_symbol_names[WM_MPI_SYMBOLS];

enum wm_mpi_abi {
	WM_MPI_NONE, /* no MPI, or nothing that starts processes */
	WM_MPI_MPICH, /* MPICH, Cray, Intel, MVAPICH: handles are integers */
	WM_MPI_OMPI, /* Open MPI: handles are addresses */
	WM_MPI_OTHER, /* MPI, but no ABI that we know */
};

struct wm_oracle {
	int machine; /* e_machine */
	bool is64;
	bool executable; /* not an object, not a shared library */
	bool is_static; /* no PT_INTERP */
	bool pie; /* position-independent; with is_static: static-pie */
	bool symbols; /* has .symtab */
	enum wm_mpi_abi mpi;
	bool mpi_fortran;
	/* static: defined here; dynamic: referred to or defined here */
	bool mpi_has[WM_MPI_SYMBOLS];
	bool own_malloc; /* dynamic programs only: malloc is defined here */
	bool own_new; /* operator new is defined here (by libstdc++, too) */
	bool threads; /* pthread_create */
	bool dlopen;
	bool daemon;
	bool sanitizer;
	const char *allocator; /* jemalloc, tcmalloc, mimalloc; NULL */
};

/* Returns 0, or -1 with one line in @err. */
int wm_oracle_read(struct wm_oracle *o, const char *path, char *err,
		   size_t size);

#endif
