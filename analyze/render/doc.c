/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/doc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/render/bare_names.h"

void wm_doc_init(struct wm_doc *d, const struct wm_form *form, FILE *out,
		 struct wm_err *err)
{
	*d = (struct wm_doc){
		.form = form,
		.out = out,
		.err = err,
		.columns = WM_DOC_COLUMNS,
		.data = WM_JSON_INIT(form->readers & WM_FOR_DATA ? out : NULL),
	};
}

enum wm_status wm_doc_end(struct wm_doc *d, enum wm_status status)
{
	wm_doc_flush(d);
	return status ? status : d->status;
}

enum wm_status wm_doc_close(struct wm_doc *d, enum wm_status status)
{
	status = wm_doc_end(d, status);
	if (status || (!fflush(d->out) && !ferror(d->out)))
		return status;
	return d->file ?
		       wm_err_set(d->err, WM_IO, "'%s': %s", d->file,
				  strerror(errno)) :
		       wm_err_set(d->err, WM_IO, "output: %s", strerror(errno));
}

__attribute__((format(printf, 3, 0))) static void
put_heading(struct wm_doc *d, bool blank, const char *fmt, va_list ap)
{
	if (!d->form->heading || d->status)
		return;
	wm_doc_flush(d);
	d->form->heading(d, blank, fmt, ap);
}

void wm_doc_title(struct wm_doc *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_heading(d, false, fmt, ap);
	va_end(ap);
}

void wm_doc_heading(struct wm_doc *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_heading(d, true, fmt, ap);
	va_end(ap);
}

void wm_doc_print(struct wm_doc *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (d->form->print && !d->status)
		d->form->print(d, fmt, ap);
	va_end(ap);
}

void wm_doc_no_memory(struct wm_doc *d)
{
	if (!d->status)
		d->status = wm_no_memory(d->err, "the report");
}

void wm_doc_wait(struct wm_doc *d, const char *fmt, va_list ap)
{
	if (!d->lines)
		d->lines = open_memstream(&d->text, &d->size);
	if (d->lines)
		vfprintf(d->lines, fmt, ap);
	else
		wm_doc_no_memory(d);
}

void wm_doc_flush(struct wm_doc *d)
{
	if (!d->lines)
		return;
	if (fclose(d->lines))
		wm_doc_no_memory(d);
	else
		d->form->lines(d);
	free(d->text);
	d->lines = NULL;
	d->text = NULL;
}

void wm_doc_table(struct wm_doc *d, struct wm_table *t, const char *key,
		  size_t top, unsigned audience)
{
	if (t->short_of_memory)
		wm_doc_no_memory(d);
	if (d->form->readers & WM_FOR_TEXT && !wm_bare_names(t))
		wm_doc_no_memory(d);
	if (!d->status && wm_doc_wants(d, audience)) {
		wm_doc_flush(d);
		d->form->table(d, t, key, top);
	}
	wm_table_release(t);
}

size_t *wm_doc_columns(struct wm_doc *d, const struct wm_table *t)
{
	size_t *list = calloc(t->columns + 1, sizeof(*list));

	if (!list)
		wm_doc_no_memory(d);
	return list;
}
