/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/link/program_info.h"

#define WM_X(name, family) #name,
const char *const wm_mpi_symbol_names[WM_MPI_SYMBOLS] = { WM_WRAP_MPI(
	WM_X) WM_WRAP_HANDLES(WM_X) };
const char *const wm_hdf5_symbol_names[WM_HDF5_SYMBOLS] = { WM_WRAP_HDF5(
	WM_X) };
#undef WM_X

#define WM_X(name, family) { #name, WM_FAMILY_##family },
const struct wm_found_name wm_found_names[WM_FOUND_SYMBOLS] = { WM_WRAP_FOUND(
	WM_X) };
#undef WM_X
