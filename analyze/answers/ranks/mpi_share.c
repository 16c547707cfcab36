/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/ranks/mpi_share.h"

#include <string.h>

#include "analyze/answers/heap/libraries.h"

static enum wm_status add_static(struct wm_mpi_share *m,
				 const struct wm_analysis *a,
				 struct wm_err *err)
{
	struct wm_libraries l;
	enum wm_status s = wm_libraries_static(&l, a, err);

	if (s)
		return s;
	m->has_static = l.has_static;
	for (size_t i = 0; i < l.count; i++)
		if (l.library[i].group == WM_GROUP_mpi ||
		    l.library[i].group == WM_GROUP_mpi_base)
			m->static_bytes += l.library[i].static_bytes;
	wm_libraries_release(&l);
	return WM_OK;
}

enum wm_status wm_mpi_share_find(struct wm_mpi_share *m,
				 const struct wm_analysis *a,
				 const struct wm_functions *f,
				 struct wm_err *err)
{
	memset(m, 0, sizeof(*m));
	for (size_t i = 0; i < f->count; i++) {
		if (f->function[i].symbol->site != WM_SITE_MPI)
			continue;
		m->own_bytes += f->function[i].bytes;
		m->own_blocks += f->function[i].blocks;
	}
	m->has_given = !a->at_time;
	for (size_t i = 0; i < a->rank_count && m->has_given; i++)
		if (a->chosen == WM_ALL_RANKS || a->chosen == i)
			m->given_bytes +=
				a->ranks[i].family[WM_FAMILY_mpi].at_peak_bytes;
	return add_static(m, a, err);
}
