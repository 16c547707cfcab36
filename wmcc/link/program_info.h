/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about the plain program, read from the executable instead of guessed
 * from the command line.
 *
 * One thread, may allocate; owns nothing after wm_program_info_read() returns.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wm/wrap_list.h"

/* Index of a symbol in WM_WRAP_MPI, and after these in WM_WRAP_HANDLES. */
#define WM_X(name, family) WM_MPI_##name,
enum wm_mpi_symbol { WM_WRAP_MPI(WM_X) WM_WRAP_HANDLES(WM_X) WM_MPI_SYMBOLS };
#undef WM_X
#define WM_MPI_FIRST_HANDLE WM_MPI_MPI_Send_init
extern const char *const wm_mpi_symbol_names[WM_MPI_SYMBOLS];

/* Index of a symbol in WM_WRAP_HDF5. */
#define WM_X(name, family) WM_HDF5_##name,
enum wm_hdf5_symbol { WM_WRAP_HDF5(WM_X) WM_HDF5_SYMBOLS };
#undef WM_X
extern const char *const wm_hdf5_symbol_names[WM_HDF5_SYMBOLS];

/* Index of a symbol in WM_WRAP_FOUND. */
#define WM_X(name, family) WM_FOUND_##name,
enum wm_found_symbol { WM_WRAP_FOUND(WM_X) WM_FOUND_SYMBOLS };
#undef WM_X
enum wm_found_family {
	WM_FAMILY_heap,
	WM_FAMILY_exit,
	WM_FAMILY_process,
	WM_FAMILY_sized,
	WM_FAMILY_map,
	WM_FAMILY_pages,
	WM_FAMILY_growth,
	WM_FAMILY_start,
	WM_FAMILY_new
};
extern const struct wm_found_name {
	const char *name;
	enum wm_found_family family;
} wm_found_names[WM_FOUND_SYMBOLS];

/* The ABI of MPI, as far as the libraries and symbols of the program show it.
 * The shim finds the ABI once more at run time. */
enum wm_mpi_abi {
	WM_MPI_NONE, /* no MPI, or nothing that starts processes */
	WM_MPI_MPICH, /* MPICH, Cray, Intel, MVAPICH: handles are integers */
	WM_MPI_OMPI, /* Open MPI: handles are addresses */
	WM_MPI_STANDARD, /* the ABI of MPI-5: handles are small addresses */
	WM_MPI_OTHER, /* MPI, but no ABI that we know */
};

struct wm_program_info {
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
	bool mpi_own; /* one of them is defined here, */
	bool mpi_exported[WM_MPI_SYMBOLS]; /* and libraries use these */
	bool hdf5; /* dynamic: it, or a library that it names, uses HDF5 */
	bool hdf5_has[WM_HDF5_SYMBOLS]; /* defined here */
	bool hdf5_exported; /* and libraries use one of them */
	/* static: its address if it is defined here, else 0 */
	uint64_t found[WM_FOUND_SYMBOLS];
	/* no program was read: its facts are supposed (wm-config) */
	bool supposed;
	bool aligned_alone; /* supposed: aligned functions without malloc */
	/* only dynamic programs: a function defined here that each relinked
	 * dynamic program also defines; NULL: none */
	const char *own_heap; /* malloc before all others */
	const char *own_other;
	/* another tool's __wrap_X is defined here for an X that we wrap, and
	 * one such X; NULL: none */
	bool found_wrap[WM_FOUND_SYMBOLS]; /* static programs only */
	bool mpi_wrap[WM_MPI_SYMBOLS];
	bool hdf5_wrap[WM_HDF5_SYMBOLS];
	const char *own_wrap;
	bool own_new; /* operator new is defined here (by libstdc++, too) */
	bool threads; /* pthread_create */
	bool dlopen;
	bool sanitizer;
	bool relinked; /* our runtime is in it */
	const char *allocator; /* jemalloc, tcmalloc, mimalloc; NULL */
	/* an allocator's new and delete do not call malloc: this is likely
	 * after wm_program_info_read(), and certain with a link map (twin.c) */
	bool new_bypasses;
	/* the C library or the allocator has free_sized: known only by a map */
	bool sized_known;
};

/* Returns 0, or -1 with one line in @err. */
int wm_program_info_read(struct wm_program_info *o, const char *path, char *err,
			 size_t size);
