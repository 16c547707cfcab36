/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A report while it is written: headings, lines, tables and values, in order.
 *
 * build() of a report (report.h) passes each part once.  A form writes the
 * parts for its readers, and knows no report:
 *
 *                            text  page  JSON  CSV   (Markdown: as text)
 *   wm_doc_title, _heading    x     x
 *   wm_doc_print              x     x
 *   wm_doc_table              by its @audience
 *   values: &d->data                      x
 *
 * Nothing is kept, so memory does not grow with the text.  build() makes a
 * part that is expensive only if wm_doc_wants() returns true for its readers.
 * After the first error nothing is written, and wm_doc_end() returns that
 * error.  The document owns the tables that it gets.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analyze/lib/base/error.h"
#include "analyze/render/json.h"
#include "analyze/render/table.h"

/* Readers of a form; a set. */
enum wm_audience {
	WM_FOR_TEXT = 1, /* people, also readers of the page */
	WM_FOR_DATA = 2, /* programs that read JSON */
	WM_FOR_CSV = 4, /* spreadsheets: one table of each report */
	WM_FOR_ALL = 7,
};

struct wm_doc;

/* A form leaves out the parts for which it has no function. */
struct wm_form {
	unsigned readers; /* enum wm_audience */
	/* @blank: a blank line comes before the heading */
	void (*heading)(struct wm_doc *d, bool blank, const char *fmt,
			va_list ap) __attribute__((format(printf, 3, 0)));
	void (*print)(struct wm_doc *d, const char *fmt, va_list ap)
		__attribute__((format(printf, 2, 0)));
	void (*table)(struct wm_doc *d, const struct wm_table *t,
		      const char *key, size_t top);
	/* writes the lines that wm_doc_wait() kept, which are in d->text */
	void (*lines)(struct wm_doc *d);
};

struct wm_doc {
	const struct wm_form *form;
	FILE *out; /* not owned */
	const char *file; /* its name in errors; NULL: "output" */
	struct wm_err *err;
	enum wm_status status; /* the first error */
	/* values, in objects and arrays; dropped without readers */
	struct wm_json data;
	size_t columns; /* of a line for people */
	bool wrap; /* wraps longer lines */
	bool bold; /* headings are bold */
	bool top_given; /* --top was given, so no text needs to mention it */
	/* JSON: most rows of a list; a quarter of that below a row, and four
	 * times that in all.  KEY_left_out counts the others. 0: no limit */
	size_t most;
	uint64_t left_out; /* rows of all tables so far */
	/* lines that are not written yet */
	FILE *lines;
	char *text;
	size_t size;
};

extern const struct wm_form wm_text_form, wm_json_form, wm_csv_form,
	wm_page_form, wm_markdown_form;

#define WM_DOC_COLUMNS 80 /* by default */
#define WM_DOC_FILE_COLUMNS 200 /* for whole names in a file */

/* Begins a document without bold text and with WM_DOC_COLUMNS columns; the
 * caller may change both. */
void wm_doc_init(struct wm_doc *d, const struct wm_form *form, FILE *out,
		 struct wm_err *err);
/* @status: result of build().  wm_doc_close() also reports stream errors. */
enum wm_status wm_doc_end(struct wm_doc *d, enum wm_status status);
enum wm_status wm_doc_close(struct wm_doc *d, enum wm_status status);

static inline bool wm_doc_wants(const struct wm_doc *d, unsigned audience)
{
	return (d->form->readers & audience) != 0;
}

/* Write a line in bold; wm_doc_heading() writes a blank line before. */
void wm_doc_title(struct wm_doc *d, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void wm_doc_heading(struct wm_doc *d, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Writes lines, or parts of lines. */
void wm_doc_print(struct wm_doc *d, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Writes a table and releases @t.  Text has the @top first rows (0: all), the
 * page up to 2,000 rows, JSON all rows or d->most in the array @key, CSV all
 * rows. */
void wm_doc_table(struct wm_doc *d, struct wm_table *t, const char *key,
		  size_t top, unsigned audience);

/* For forms: sets the error for missing memory. */
void wm_doc_no_memory(struct wm_doc *d);
/* For forms: keeps lines, or parts of them, until wm_doc_flush(), which comes
 * before each heading and table, and at the end. */
void wm_doc_wait(struct wm_doc *d, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));
void wm_doc_flush(struct wm_doc *d);
/* For forms: returns an array for indices of columns, which the caller frees,
 * or NULL without memory, which sets the document's error. */
size_t *wm_doc_columns(struct wm_doc *d, const struct wm_table *t);
