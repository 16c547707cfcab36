/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/queries/handle_makers.h"

#include <fnmatch.h>
#include <string.h>

#include "analyze/queries/path_frames.h"

const struct wm_handle_maker wm_handle_makers[] = {
	{ "MPI_Comm_dup*", 2, false },
	{ "MPI_Comm_idup*", 2, false },
	{ "MPI_Comm_create", 2, false },
	{ "MPI_Comm_create_[fg]*", 2, false },
	{ "MPI_Comm_split*", 2, false },
	{ "MPI_Intercomm_*", 2, false },
	{ "MPI_Cart_create", 2, false },
	{ "MPI_Cart_sub", 2, false },
	{ "MPI_Graph_create", 2, false },
	{ "MPI_Dist_graph_create*", 2, false },
	{ "MPI_Win_create*", 2, false },
	{ "MPI_Win_allocate*", 2, false },
	{ "MPI_File_open", 2, false },
	{ "MPI_Comm_group", 1, false },
	{ "MPI_Comm_remote_group", 1, false },
	{ "MPI_Win_get_group", 1, false },
	{ "MPI_Group_*incl", 1, false },
	{ "MPI_Group_*excl", 1, false },
	{ "MPI_Group_union", 1, false },
	{ "MPI_Group_intersection", 1, false },
	{ "MPI_Group_difference", 1, false },
	{ "MPI_Type_contiguous*", 1, false },
	{ "MPI_Type_*vector*", 1, false },
	{ "MPI_Type_*indexed*", 1, false },
	{ "MPI_Type_struct", 1, false },
	{ "MPI_Type_create_[dhirs]*", 1, false },
	{ "MPI_Type_dup", 1, false },
	{ "MPI_Op_create*", 1, false },
	{ "MPI_*create_errhandler", 1, false },
	{ "MPI_Errhandler_create", 1, false },
	{ "MPI_*create_keyval", 1, false },
	{ "MPI_Keyval_create", 1, false },
	{ "MPI_Info_create*", 1, false },
	{ "MPI_Info_dup", 1, false },
	{ "MPI_Type_commit", 1, true },
	{ "MPI_Info_set", 1, true },
};

bool wm_handle_is_named(const char *name, const char *pattern)
{
	name += *name == 'P' || *name == 'p';
	return fnmatch(pattern, name, FNM_CASEFOLD) == 0;
}

size_t wm_handle_maker(const char *name)
{
	size_t i;

	for (i = 0; i < WM_HANDLE_MAKERS; i++)
		if (wm_handle_is_named(name, wm_handle_makers[i].pattern))
			break;
	return i;
}

bool wm_handle_path_is_mpi(const struct wm_analysis *a, uint32_t path)
{
	struct wm_frame f = wm_frame_first(a->symbols, &a->paths,
					   a->paths.leaf[path]);

	do {
		const struct wm_symbol *s = f.symbol;

		if (!s)
			return false;
		if (s->group == WM_GROUP_mpi)
			return true;
		/* of a path whose site is MPI's these are MPI's, too */
		if (s->group == WM_GROUP_allocator ||
		    s->group == WM_GROUP_own ||
		    (s->site == WM_SITE_USER && wm_frame_module(a, &f)->main))
			continue;
		if (s->group != WM_GROUP_libc ||
		    (fnmatch("*str*dup*", s->name, 0) != 0 &&
		     fnmatch("*asprintf*", s->name, 0) != 0))
			return false;
	} while (wm_frame_next(a->symbols, &a->paths, &f));
	return false;
}

bool wm_handle_path_is_for_mpi(const struct wm_analysis *a, uint32_t path)
{
	static const char *const own[] = { "*register*", "*framework_open*",
					   "*[sS]end*", "*[rR]ecv*",
					   "*[pP]rogress*" };
	struct wm_frame f = wm_frame_first(a->symbols, &a->paths,
					   a->paths.leaf[path]);
	size_t i;

	do {
		for (i = 0; f.symbol && i < sizeof(own) / sizeof(*own); i++)
			if (fnmatch(own[i], f.symbol->name, 0) == 0)
				return true;
		if (f.symbol &&
		    wm_handle_maker(f.symbol->name) < WM_HANDLE_MAKERS)
			return false;
	} while (wm_frame_next(a->symbols, &a->paths, &f));
	return false;
}
