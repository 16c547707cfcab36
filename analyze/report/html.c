/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/report/html.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/report/output.h"
#include "analyze/report/svg.h"

#define TABLE_ROWS 2000 /* of a table; CSV has all */

static const char style[] =
	"body{font:15px/1.45 sans-serif;color:#222;max-width:1080px;"
	"margin:2em auto;padding:0 1em}"
	"h1{font-size:1.5em;margin-bottom:0}nav a{margin-right:1em}"
	"pre{font-size:12.5px;line-height:1.35;background:#f6f6f4;"
	"padding:.8em;overflow-x:auto}"
	"section{border-top:1px solid #ccc;margin-top:2em}"
	"h2{font-size:1.15em}h2 small{font-weight:normal;color:#666}"
	"table{border-collapse:collapse;font-size:13px}"
	"th{cursor:pointer;text-align:left;background:#eee}"
	"td,th{padding:.15em .7em;border-bottom:1px solid #ddd}"
	"td.n{text-align:right;font-variant-numeric:tabular-nums}"
	"svg{max-width:100%;height:auto}"
	".part{background:#fff3cd;padding:.6em;border:1px solid #e0c060}";

/* A click on a heading sorts by that column; numbers first downwards. */
static const char script[] =
	"document.querySelectorAll('th').forEach(function(h){"
	"h.onclick=function(){var t=h.closest('table'),b=t.tBodies[0],"
	"i=h.cellIndex,d=h.dataset.d=h.dataset.d==='1'?'-1':'1';"
	"Array.from(b.rows).sort(function(x,y){"
	"var p=x.cells[i].textContent,q=y.cells[i].textContent,"
	"n=parseFloat(q)-parseFloat(p);"
	"return d*(isNaN(n)?p.localeCompare(q):n)})"
	".forEach(function(r){b.appendChild(r)})}});";

void wm_html_begin(const char *title, FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head>"
	      "<meta charset=\"utf-8\"><title>", out);
	wm_svg_text(out, title);
	fputs("</title>\n<!-- " WM_OUTPUT_MARK " -->", out);
	fprintf(out, "\n<style>%s</style></head><body>\n<h1>", style);
	wm_svg_text(out, title);
	fputs("</h1>", out);
}

void wm_html_end(FILE *out)
{
	fprintf(out, "<script>%s</script></body></html>\n", script);
}

void wm_html_lines(char *text, FILE *out)
{
	char *line, *rest = text;

	while (rest && *rest) {
		line = strsep(&rest, "\n");
		wm_svg_text(out, line);
		putc('\n', out);
	}
}

/* The next value of CSV text at *@at, which moves on; 0: the row ends. */
static int next_value(char **at, char **value)
{
	char *from = *at, *to = *at;
	int quoted = *from == '"', more;

	*value = to;
	from += quoted;
	while (*from && (quoted || (*from != ',' && *from != '\n'))) {
		if (quoted && *from == '"' && *++from != '"')
			break;
		*to++ = *from++;
	}
	more = *from == ',';
	*at = *from ? from + 1 : from;
	*to = 0;
	return more;
}

static int is_number(const char *s)
{
	return *s && !s[strspn(s, "+-.0123456789")];
}

static void put_row(char **at, const char *tag, FILE *out)
{
	char *value;
	int more;

	fputs("<tr>", out);
	do {
		more = next_value(at, &value);
		fprintf(out, "<%s%s>", tag, is_number(value) ? " class=n" :
								"");
		wm_svg_text(out, value);
		fprintf(out, "</%s>", tag);
	} while (more);
	fputs("</tr>\n", out);
}

/* Behind the value at @at and what ends it; *@more: another one follows in
 * the row.  Changes nothing. */
static char *skip_value(char *at, int *more)
{
	int quoted = *at == '"';

	at += quoted;
	while (*at && (quoted || (*at != ',' && *at != '\n'))) {
		if (quoted && *at == '"' && *++at != '"') {
			quoted = 0;
			continue;
		}
		at++;
	}
	*more = *at == ',';
	return *at ? at + 1 : at;
}

/* A row of CSV text, and the number that it is chosen by. */
struct row {
	char *text;
	double weight;
};

/* The first column of bytes, by whose numbers rows are chosen when there are
 * too many; -1: there is none. */
static int weight_column(char *heading)
{
	int more = 1, i;

	for (i = 0; more; i++) {
		char *end = skip_value(heading, &more);

		if (end - heading > 6 && !strncmp(end - 7, "_bytes", 6))
			return i;
		heading = end;
	}
	return -1;
}

/* The rows of @csv, @n of them at most when it is not NULL; how many there
 * are. */
static size_t split_rows(char *csv, int column, struct row *row)
{
	size_t n = 0;

	while (*csv) {
		int more = 1, i;

		if (row)
			row[n] = (struct row){ csv, 0 };
		for (i = 0; more; i++) {
			if (row && i == column)
				row[n].weight = strtod(csv, NULL);
			csv = skip_value(csv, &more);
		}
		n++;
	}
	return n;
}

static int by_weight(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return (x->text > y->text) - (x->text < y->text);
}

static int by_place(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return (x->text > y->text) - (x->text < y->text);
}

/* All rows of @csv, or those with the most bytes in the order that they have
 * there: what is cut away must never be the worst rank. */
static enum wm_status put_rows(char *csv, int column, const char *heading,
			       FILE *out, struct wm_err *err)
{
	size_t n = split_rows(csv, column, NULL), shown, i;
	struct row *row = calloc(n + 1, sizeof(*row));
	char *at;

	if (!row)
		return wm_err_set(err, WM_NO_MEMORY, "no memory for a page");
	split_rows(csv, column, row);
	shown = n < TABLE_ROWS ? n : TABLE_ROWS;
	if (shown < n && column >= 0) {
		qsort(row, n, sizeof(*row), by_weight);
		qsort(row, shown, sizeof(*row), by_place);
	}
	for (i = 0; i < shown; i++) {
		at = row[i].text;
		put_row(&at, "td", out);
	}
	fputs("</tbody></table>", out);
	if (shown < n && column >= 0)
		fprintf(out, "<p>The %zu rows with the highest %s of %zu; "
			"--csv has all.</p>", shown, heading, n);
	else if (shown < n)
		fprintf(out, "<p>The first %zu rows of %zu; --csv has all."
			"</p>", shown, n);
	free(row);
	return WM_OK;
}

enum wm_status wm_html_table(char *csv, FILE *out, struct wm_err *err)
{
	int column = weight_column(csv), i;
	char *heading = csv;
	enum wm_status s;

	fputs("<details><summary>table</summary><table><thead>", out);
	put_row(&csv, "th", out);
	fputs("</thead><tbody>\n", out);
	for (i = 0; i < column; i++)
		heading += strlen(heading) + 1;
	s = put_rows(csv, column, heading, out, err);
	fputs("</details>\n", out);
	return s;
}
