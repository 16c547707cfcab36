/* SPDX-License-Identifier: Apache-2.0 */
/* A report as text: wrapped lines, and tables in columns. */
#include "analyze/render/doc.h"

#include <stdbool.h>
#include <string.h>

#include "analyze/render/text_table.h"
#include "analyze/render/width.h"

/* Returns the column in which a wrapped line continues: that of the line's last
 * part after two blanks, unless these end a sentence.  If that is far to the
 * right, returns a column near the beginning. */
static size_t hanging_column(const char *line, size_t room)
{
	size_t lead = strspn(line, " "), used = lead;
	size_t at = lead < room / 2 ? lead + 2 : lead, n;
	const char *s;

	for (s = line + lead; *s && used < room - room / 3; s += n) {
		if (s > line + lead + 2 && s[0] != ' ' && s[-1] == ' ' &&
		    s[-2] == ' ' && s[-3] != '.')
			at = used;
		used += wm_width_char(s, &n);
	}
	return at;
}

/* Returns the blank at which a line is cut: the last one within @room, else the
 * first one.  Returns NULL if the line fits, or has no blank. */
static const char *find_cut(const char *line, size_t room)
{
	size_t used = strspn(line, " "), n;
	const char *s, *cut = NULL;

	if (wm_width(line) <= room)
		return NULL;
	for (s = line + used; *s; s += n) {
		if (*s == ' ' && s[-1] != ' ' && (!cut || used <= room))
			cut = s;
		if (cut && used > room)
			break;
		used += wm_width_char(s, &n);
	}
	return cut;
}

/* Wraps a line at blanks; longer words stay whole. */
static void put_wrapped(const char *line, size_t room, FILE *out)
{
	size_t at = hanging_column(line, room), rest = room;
	const char *cut;

	while ((cut = find_cut(line, rest)) && cut[strspn(cut, " ")]) {
		fprintf(out, "%.*s\n%*s", (int)(cut - line), line, (int)at, "");
		line = cut + strspn(cut, " ");
		rest = room > at ? room - at : 1;
	}
	fputs(line, out);
}

/* The last line need not end with a newline. */
static void put_lines(struct wm_doc *d)
{
	char *line, *rest = d->text;

	while ((line = strsep(&rest, "\n")) && rest) {
		put_wrapped(line, d->columns, d->out);
		putc('\n', d->out);
	}
	if (line)
		put_wrapped(line, d->columns, d->out);
}

__attribute__((format(printf, 2, 0))) static void
text_print(struct wm_doc *d, const char *fmt, va_list ap)
{
	size_t n = strlen(fmt);

	if (!d->wrap) {
		vfprintf(d->out, fmt, ap);
		return;
	}
	wm_doc_wait(d, fmt, ap);
	if (n && fmt[n - 1] == '\n')
		wm_doc_flush(d);
}

__attribute__((format(printf, 3, 0))) static void
text_heading(struct wm_doc *d, bool blank, const char *fmt, va_list ap)
{
	if (blank)
		putc('\n', d->out);
	if (d->bold)
		fputs("\033[1m", d->out);
	text_print(d, fmt, ap);
	wm_doc_flush(d);
	fputs(d->bold ? "\033[0m\n" : "\n", d->out);
}

static void text_table(struct wm_doc *d, const struct wm_table *t,
		       const char *key, size_t top)
{
	(void)key;
	if (d->wrap)
		d->lines = open_memstream(&d->text, &d->size);
	if ((d->wrap && !d->lines) ||
	    !wm_text_table(t, top, d->top_given, d->columns,
			   d->lines ? d->lines : d->out))
		wm_doc_no_memory(d);
	wm_doc_flush(d);
}

const struct wm_form wm_text_form = {
	.readers = WM_FOR_TEXT,
	.heading = text_heading,
	.print = text_print,
	.table = text_table,
	.lines = put_lines,
};
