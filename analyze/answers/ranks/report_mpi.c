/* SPDX-License-Identifier: Apache-2.0 */
/* MPI's share of memory, for the chosen rank or the sum of all ranks, at the
 * moment of the report's lists: memory that MPI allocates for itself, memory
 * that it gives to the program, and its static memory. */
#include "analyze/answers/reports.h"

#include <string.h>

#include "analyze/answers/heap/functions.h"
#include "analyze/answers/heap/libraries.h"
#include "analyze/answers/text.h"

struct mpi_share {
	uint64_t own_bytes, own_blocks; /* sites are functions of MPI */
	bool has_given; /* not known with --at */
	uint64_t given_bytes; /* of family mpi */
	bool has_static; /* there is a census */
	uint64_t static_bytes; /* of archives in groups mpi and mpi-base */
};

static enum wm_status
add_static(struct mpi_share *m, const struct wm_analysis *a, struct wm_err *err)
{
	struct wm_libraries l;
	enum wm_status s = wm_libraries_make(&l, a, true, err);

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

/* @f: the functions that hold memory. */
static enum wm_status find_share(struct mpi_share *m,
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

static void put_share(struct wm_table *t, const char *what, uint64_t bytes,
		      const char *remark)
{
	if (!bytes)
		return;
	wm_fact(t, what, bytes);
	wm_table_text(t, remark);
}

enum wm_status wm_mpi_share_text(const struct wm_analysis *a,
				 const struct wm_functions *f, struct wm_doc *d,
				 struct wm_err *err)
{
	char when[WM_WHEN_TEXT];
	struct mpi_share m;
	struct wm_table t;
	enum wm_status s = find_share(&m, a, f, err);

	if (s || !(m.own_bytes + m.given_bytes + m.static_bytes))
		return s;
	wm_doc_heading(d, "MPI's share%s %s",
		       a->chosen == WM_ALL_RANKS ? "," : "", wm_when(a, when));
	wm_facts_init(&t);
	put_share(&t, "inside", m.own_bytes, "allocated for itself");
	put_share(&t, "given", m.given_bytes,
		  "MPI_Alloc_mem, MPI_Win_allocate");
	put_share(&t, "static", m.static_bytes, "in its archives");
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
	return WM_OK;
}

enum wm_status wm_mpi_share_json(const struct wm_analysis *a,
				 const struct wm_functions *f,
				 struct wm_json *j, struct wm_err *err)
{
	struct mpi_share m;
	enum wm_status s = find_share(&m, a, f, err);

	if (s)
		return s;
	WM_JSON_ROW(j, "mpi",
		    "inside_bytes inside_blocks given_bytes static_bytes",
		    m.own_bytes, m.own_blocks,
		    wm_known(m.has_given, m.given_bytes),
		    wm_known(m.has_static, m.static_bytes));
	return WM_OK;
}
