/* SPDX-License-Identifier: Apache-2.0 */
/* MPI's share of memory, in text and JSON. */
#include "analyze/answers/reports.h"

#include "analyze/answers/ranks/mpi_share.h"
#include "analyze/answers/text.h"

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
	struct wm_mpi_share m;
	struct wm_table t;
	enum wm_status s = wm_mpi_share_find(&m, a, f, err);

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
	struct wm_mpi_share m;
	enum wm_status s = wm_mpi_share_find(&m, a, f, err);

	if (s)
		return s;
	WM_JSON_ROW(j, "mpi",
		    "inside_bytes inside_blocks given_bytes static_bytes",
		    m.own_bytes, m.own_blocks,
		    wm_known(m.has_given, m.given_bytes),
		    wm_known(m.has_static, m.static_bytes));
	return WM_OK;
}
