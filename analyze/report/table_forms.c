/* SPDX-License-Identifier: Apache-2.0 */
/* For reports that write their forms themselves, until they tell a document. */
#include "analyze/report/doc.h"

static enum wm_status put(const struct wm_table *t, struct wm_doc *d,
			  const char *key, size_t top, struct wm_err *err)
{
	if (t->short_of_memory)
		return wm_err_set(err, WM_NO_MEMORY, "no memory for a table");
	d->form->table(d, t, key, top, WM_FOR_ALL);
	return WM_OK;
}

enum wm_status wm_table_print(const struct wm_table *t, size_t top, int hint,
			      FILE *out, struct wm_err *err)
{
	struct wm_doc d;

	wm_doc_init(&d, &wm_text_form, out, err);
	d.top_given = !hint;
	return put(t, &d, NULL, top, err);
}

enum wm_status wm_table_csv(const struct wm_table *t, FILE *out,
			    struct wm_err *err)
{
	struct wm_doc d;

	wm_doc_init(&d, &wm_csv_form, out, err);
	return put(t, &d, NULL, 0, err);
}

enum wm_status wm_table_json(const struct wm_table *t, const char *key,
			     struct wm_json *j, struct wm_err *err)
{
	enum wm_status s;
	struct wm_doc d;

	wm_doc_init(&d, &wm_json_form, j->out, err);
	d.data = *j;
	s = put(t, &d, key, 0, err);
	*j = d.data;
	return s;
}
