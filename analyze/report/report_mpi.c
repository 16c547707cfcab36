/* SPDX-License-Identifier: Apache-2.0 */
/* MPI's share of memory, in text and JSON. */
#include "analyze/report/reports.h"

#include "analyze/queries/mpi_share.h"
#include "analyze/report/text.h"

static void put_share(const char *what, uint64_t bytes, const char *more,
		      struct wm_doc *d)
{
	struct wm_buf b, c;

	if (bytes)
		wm_doc_print(d, "  %-8s %11s  %20s  %s\n", what,
			     wm_bytes(&b, bytes), wm_count(&c, bytes), more);
}

enum wm_status wm_mpi_share_text(const struct wm_analysis *a,
				 const struct wm_functions *f, struct wm_doc *d,
				 struct wm_err *err)
{
	char when[WM_WHEN_TEXT];
	struct wm_mpi_share m;
	enum wm_status s = wm_mpi_share_find(&m, a, f, err);

	if (s || !(m.inside_bytes + m.given_bytes + m.static_bytes))
		return s;
	wm_doc_heading(d, "MPI's share%s %s",
		       a->chosen == WM_ALL_RANKS ? "," : "", wm_when(a, when));
	put_share("inside", m.inside_bytes, "what it allocates for itself", d);
	put_share("given", m.given_bytes, "MPI_Alloc_mem, MPI_Win_allocate", d);
	put_share("static", m.static_bytes, "in its archives", d);
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
	wm_json_flat_object(j, "mpi");
	wm_json_uint(j, "inside_bytes", m.inside_bytes);
	wm_json_uint(j, "inside_blocks", m.inside_blocks);
	if (m.has_given)
		wm_json_uint(j, "given_bytes", m.given_bytes);
	else
		wm_json_text(j, "given_bytes", NULL);
	if (m.has_static)
		wm_json_uint(j, "static_bytes", m.static_bytes);
	else
		wm_json_text(j, "static_bytes", NULL);
	wm_json_end_object(j);
	return WM_OK;
}
