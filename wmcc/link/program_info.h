/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about the plain program, read from the executable. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wm/wrap_list.h"

/* Index of a symbol in WM_WRAP_MPI and, after these, in WM_WRAP_HANDLES. */
#define WM_X(name, family) WM_MPI_##name,
enum wm_mpi_symbol { WM_WRAP_MPI(WM_X) WM_WRAP_HANDLES(WM_X) WM_MPI_SYMBOLS };
#undef WM_X
#define WM_MPI_FIRST_HANDLE WM_MPI_MPI_Send_init
extern const char *const wm_mpi_symbol_names[WM_MPI_SYMBOLS];

#define WM_X(name, family) WM_HDF5_##name,
enum wm_hdf5_symbol { WM_WRAP_HDF5(WM_X) WM_HDF5_SYMBOLS };
#undef WM_X
extern const char *const wm_hdf5_symbol_names[WM_HDF5_SYMBOLS];

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

/* The ABI of MPI, by libraries and symbols.  The shim checks it at run time. */
enum wm_mpi_abi {
	WM_MPI_NONE, /* no MPI, or nothing that starts processes */
	WM_MPI_MPICH, /* MPICH, Cray, Intel, MVAPICH: handles are integers */
	WM_MPI_OMPI, /* Open MPI: handles are addresses */
	WM_MPI_STANDARD, /* the ABI of MPI-5: handles are small addresses */
	WM_MPI_OTHER, /* MPI with an unknown ABI */
};

struct wm_program_info {
	int machine; /* e_machine */
	bool is64;
	bool executable; /* no object and no shared library */
	bool is_static; /* no PT_INTERP */
	bool musl; /* its loader is musl's */
	bool pie; /* position-independent; with is_static: static-pie */
	bool symbols; /* has .symtab */
	enum wm_mpi_abi mpi;
	bool mpi_fortran;
	/* static: defined here; dynamic: defined here or referred to */
	bool mpi_has[WM_MPI_SYMBOLS];
	bool mpi_own; /* one of them is defined here */
	bool mpi_exported[WM_MPI_SYMBOLS]; /* defined, and libraries use it */
	bool hdf5; /* dynamic: it, or a needed library, uses HDF5 */
	bool hdf5_has[WM_HDF5_SYMBOLS]; /* defined here */
	bool hdf5_exported; /* libraries use one of these */
	/* static: the address if it is defined here; else 0 */
	uint64_t found[WM_FOUND_SYMBOLS];
	/* no program was read; the facts are supposed (wm-config) */
	bool supposed;
	bool aligned_alone; /* supposed: not in the archive member of malloc */
	/* dynamic: a function defined here that the relinked program also
	 * defines; NULL: none */
	const char *own_heap; /* preferably malloc */
	const char *own_other;
	/* another tool's __wrap_X is defined here for a wrapped X */
	bool found_wrap[WM_FOUND_SYMBOLS]; /* only in static programs */
	bool mpi_wrap[WM_MPI_SYMBOLS];
	bool hdf5_wrap[WM_HDF5_SYMBOLS];
	const char *own_wrap;
	bool own_new; /* operator new is defined here, or by libstdc++ */
	bool threads; /* it uses pthread_create */
	bool dlopen;
	bool sanitizer;
	bool relinked; /* it contains our runtime */
	const char *allocator; /* jemalloc, tcmalloc, mimalloc; NULL */
	/* new and delete do not call malloc; certain only with a link map */
	bool new_bypasses;
	/* the C library or allocator has free_sized; only a map shows it */
	bool sized_known;
};

/* Returns 0, or -1 with one line in @err. */
int wm_program_info_read(struct wm_program_info *o, const char *path, char *err,
			 size_t size);
