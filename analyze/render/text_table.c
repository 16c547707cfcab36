/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/text_table.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/shorten.h"
#include "analyze/lib/base/whole.h"
#include "analyze/render/width.h"

#define NARROW 24 /* least width of names while columns can be left out */
#define NARROWEST 8 /* least width of names */
#define SHORTEST_BAR 8
#define LONGEST 400 /* greatest width of names */
#define NAME_BYTES (4 * LONGEST + 1)

/* The layout of the rows of one level. */
struct layout {
	size_t *column, *room; /* shown columns, in order, and their widths */
	size_t *widest; /* widest cell of each */
	size_t count;
	size_t indent;
	size_t step; /* blanks before a name for each level of a tree */
	size_t longest; /* greatest width of a name */
	bool tight; /* columns are as narrow as possible */
	bool two_lines; /* titles take two lines */
	size_t *gone, gone_count; /* columns that are left out */
};

/* Blanks at the end of a line are not written. */
struct line {
	FILE *out;
	size_t blanks;
};

static void put_text(struct line *l, const char *text, size_t n)
{
	if (!n)
		return;
	fprintf(l->out, "%*s", (int)l->blanks, "");
	fwrite(text, 1, n, l->out);
	l->blanks = 0;
}

static void end_line(struct line *l)
{
	putc('\n', l->out);
	l->blanks = 0;
}

/* Returns the most columns of a name in a line of @columns. */
static size_t longest_name(size_t columns)
{
	size_t rest = columns > WM_NAME_COLUMNS ? columns - WM_NAME_COLUMNS : 0;

	return rest < WM_NAME_COLUMNS ? WM_NAME_COLUMNS :
	       rest < LONGEST	      ? rest :
					LONGEST;
}

/* Returns @name or, if it is wider than @room, a shorter one in @b. */
static const char *fit_name(const char *name, size_t room, char b[NAME_BYTES])
{
	size_t width = wm_width(name), n;

	wm_lower(&room, LONGEST);
	if (width <= room)
		return name;
	/* wm_shorten() counts bytes, of which a character may have four */
	n = width == strlen(name) ? room : 4 * room;
	do {
		wm_shorten(name, n, b);
		n -= n / 16 + 1;
	} while (wm_width(b) > room && n >= NARROWEST);
	b[wm_width_fits(b, room)] = 0;
	return b;
}

static enum wm_unit unit_of(const struct wm_table *t, const struct layout *l,
			    size_t i)
{
	return t->column[l->column[i]].unit;
}

static const char *title_of(const struct wm_table *t, const struct layout *l,
			    size_t i)
{
	const char *title = t->column[l->column[i]].title;

	return title ? title : "";
}

/* A title without blanks around it; in two lines if that is narrower. */
struct title {
	size_t from, to;
	size_t cut; /* end of the first of two lines, or 0 */
	size_t width;
};

static struct title split_title(const char *title)
{
	struct title t = { .from = strspn(title, " "), .to = strlen(title) };

	while (t.to > t.from && title[t.to - 1] == ' ')
		t.to--;
	t.width = t.to - t.from;
	for (size_t i = t.from; i < t.to; i++) {
		size_t first = i - t.from, second = t.to - i - 1;

		if (title[i] == ' ' && wm_most(first, second) < t.width) {
			t.width = wm_most(first, second);
			t.cut = i;
		}
	}
	return t;
}

static size_t trimmed_title(const char *title)
{
	struct title t = split_title(title);

	return t.to - t.from;
}

static size_t cell_width(const struct wm_table *t, size_t row, size_t column,
			 size_t longest)
{
	const struct wm_cell *c = wm_table_cell(t, row, column);
	enum wm_unit unit = wm_table_unit(t, row, column);
	struct wm_figure b;
	size_t n;

	if (unit == WM_UNIT_BAR)
		return 0;
	n = wm_width(wm_cell_show(c, unit, &b));
	if (unit == WM_UNIT_TEXT && n > longest)
		n = longest;
	return n; /* without the text after a name */
}

/* Measures the columns of a level; levels with the same indent are aligned.
 * Words at the end of a line may be narrow, as they wrap below themselves. */
static void measure_level(const struct wm_table *t, size_t level, size_t rows,
			  struct layout *l)
{
	size_t r, i, n;

	for (r = 0; r < rows; r++) {
		size_t other = wm_table_level_of(t, wm_table_depth(t, r));

		if (t->level[other].indent != t->level[level].indent)
			continue;
		for (i = 0; i < l->count; i++) {
			n = cell_width(t, r, l->column[i], l->longest);
			if (n > NARROW && i + 1 == l->count &&
			    unit_of(t, l, i) == WM_UNIT_WORDS)
				n = NARROW;
			wm_raise(&l->widest[i], n);
		}
	}
}

static size_t sum_of(const struct layout *l)
{
	size_t sum = l->indent, i;

	for (i = 0; i < l->count; i++)
		sum += 2 + l->room[i];
	return sum;
}

/* Narrows the widest column of @unit, down to @least, until lines fit. */
static bool give_way(const struct wm_table *t, enum wm_unit unit, size_t least,
		     size_t most, struct layout *l)
{
	size_t i, widest;

	while (sum_of(l) > most) {
		widest = l->count;
		for (i = 0; i < l->count; i++)
			if (unit_of(t, l, i) == unit && l->room[i] > least &&
			    (widest == l->count ||
			     l->room[i] > l->room[widest]))
				widest = i;
		if (widest == l->count)
			return false;
		l->room[widest]--;
	}
	return true;
}

/* A title above a last column of text needs no width. */
static size_t title_width(const struct wm_table *t, const struct layout *l,
			  size_t i)
{
	return i + 1 == l->count && wm_unit_is_text(unit_of(t, l, i)) ?
		       0 :
		       wm_width(title_of(t, l, i));
}

/* Lays out the remaining columns; @narrow is the least width of names. */
static bool fit_columns(const struct wm_table *t, size_t narrow, size_t most,
			struct layout *l)
{
	size_t i, n;

	l->two_lines = false;
	for (i = 0; i < l->count; i++) {
		n = title_width(t, l, i);
		l->room[i] = n > l->widest[i] ? n : l->widest[i];
	}
	if (!l->tight && sum_of(l) <= most)
		return true;
	l->tight = true;
	for (i = 0; i < l->count; i++) {
		n = split_title(title_of(t, l, i)).width;
		if (unit_of(t, l, i) == WM_UNIT_BAR || n >= l->room[i] ||
		    !title_width(t, l, i))
			continue;
		l->two_lines |= n < trimmed_title(title_of(t, l, i));
		l->room[i] = n > l->widest[i] ? n : l->widest[i];
	}
	return sum_of(l) <= most ||
	       give_way(t, WM_UNIT_BAR, SHORTEST_BAR, most, l) ||
	       give_way(t, WM_UNIT_TEXT, narrow, most, l);
}

/* Returns the next column to leave out: an empty column, else a spare column,
 * else the last but one; or the number of columns if there is none. */
static size_t find_least(const struct wm_table *t, const struct layout *l)
{
	const char *spare = t->spare ? t->spare : "";
	size_t i, n;

	for (i = 1; i + 1 < l->count; i++)
		if (!l->widest[i] && unit_of(t, l, i) != WM_UNIT_BAR)
			return i;
	for (; *(spare += strspn(spare, " ")); spare += n) {
		n = strcspn(spare, " ");
		for (i = 0; i + 1 < l->count; i++) {
			const char *key = t->column[l->column[i]].key;

			if (strlen(key) == n && !strncmp(key, spare, n))
				return i;
		}
	}
	return l->count > 2 ? l->count - 2 : l->count;
}

static void drop_column(const struct wm_table *t, size_t i, struct layout *l)
{
	/* a column without a title is not listed */
	if (l->widest[i] && trimmed_title(title_of(t, l, i)))
		l->gone[l->gone_count++] = l->column[i];
	for (l->count--; i < l->count; i++) {
		l->column[i] = l->column[i + 1];
		l->widest[i] = l->widest[i + 1];
	}
}

/* Leaves out columns without title and text. */
static void drop_nothing(const struct wm_table *t, struct layout *l)
{
	size_t i = 0;

	while (i < l->count) {
		if (l->widest[i] || trimmed_title(title_of(t, l, i)) ||
		    unit_of(t, l, i) == WM_UNIT_BAR)
			i++;
		else
			drop_column(t, i, l);
	}
}

static bool allot_layout(const struct wm_table *t, struct layout *l)
{
	size_t n = t->columns + 1;

	memset(l, 0, sizeof(*l));
	l->column = calloc(4 * n, sizeof(*l->column));
	if (!l->column)
		return false;
	l->room = l->column + n;
	l->widest = l->room + n;
	l->gone = l->widest + n;
	return true;
}

/* Gives names of a tree the rest of the line. */
static void spread_names(const struct wm_table *t, size_t rows, size_t most,
			 struct layout *l)
{
	size_t deepest = 0, sum = sum_of(l), r, *room;

	if (!t->deep || !l->count)
		return;
	room = &l->room[l->count - 1];
	if (sum < most)
		*room += most - sum;
	for (r = 0; r < rows; r++)
		wm_raise(&deepest, wm_table_depth(t, r));
	l->step = *room > 2 * deepest + NARROW ? 2 : 1;
}

/* Lays out rows of level @level in lines of @most columns. */
static bool lay_out(const struct wm_table *t, size_t level, size_t rows,
		    size_t most, bool tight, struct layout *l)
{
	size_t least;

	if (!allot_layout(t, l))
		return false;
	l->tight = tight;
	l->count = wm_table_people(t, level, l->column);
	l->indent = t->level[level].indent;
	l->longest = longest_name(most);
	measure_level(t, level, rows, l);
	drop_nothing(t, l);
	while (!fit_columns(t, NARROW, most, l) &&
	       (least = find_least(t, l)) < l->count)
		drop_column(t, least, l);
	if (sum_of(l) > most)
		fit_columns(t, NARROWEST, most, l);
	spread_names(t, rows, most, l);
	return true;
}

static void put_bar(struct line *l, double v, size_t room)
{
	size_t n = 0, i;

	if (v > 0)
		n = v < 1 ? (size_t)(v * (double)room + 0.5) : room;
	if (v > 0 && !n)
		n = 1;
	for (i = 0; i < n && i < room; i++)
		put_text(l, "#", 1);
	l->blanks += room - i;
}

static void put_padded(struct line *l, const char *text, size_t n, size_t width,
		       size_t room, bool right)
{
	size_t fill = width < room ? room - width : 0;

	if (right)
		l->blanks += fill;
	put_text(l, text, n);
	if (!right)
		l->blanks += fill;
}

/* Indents a node of a tree, but less than its depth if the name would be too
 * narrow.  Returns the width left for the name. */
static size_t put_depth(size_t depth, const struct layout *layout, size_t room,
			struct line *l)
{
	size_t most = room > 2 * NARROW ? room - NARROW : room / 2;
	size_t n = layout->step * depth;
	char level[32] = "";

	if (n > most) {
		int used = snprintf(level, sizeof(level), "(level %zu) ",
				    depth + 1);

		n = room > (size_t)used + 2 * NARROWEST ?
			    room - (size_t)used - 2 * NARROWEST :
			    0;
		n = n < most ? n : most;
	}
	l->blanks += n;
	put_text(l, level, strlen(level));
	n += strlen(level);
	return room > n + NARROWEST ? room - n : NARROWEST;
}

static void put_cell(const struct wm_table *t, size_t row,
		     const struct layout *layout, size_t i, struct line *l)
{
	size_t column = layout->column[i], room = layout->room[i];
	const struct wm_cell *c = wm_table_cell(t, row, column);
	enum wm_unit unit = wm_table_unit(t, row, column);
	bool last = i + 1 == layout->count;
	const char *more = wm_cell_more(c), *text;
	char name[NAME_BYTES];
	struct wm_figure b;

	l->blanks += 2;
	if (unit == WM_UNIT_BAR && c->kind == WM_CELL_REAL) {
		put_bar(l, c->real, room);
		return;
	}
	text = wm_cell_show(c, unit, &b);
	if (unit == WM_UNIT_TEXT) {
		if (t->deep && last)
			room = put_depth(wm_table_depth(t, row), layout, room,
					 l);
		text = fit_name(text, room, name);
	}
	put_padded(l, text, strlen(text), wm_width(text), room,
		   !wm_unit_is_text(t->column[column].unit));
	if (last && *more) {
		l->blanks = 0;
		put_text(l, more, strlen(more));
	}
}

static void put_row(const struct wm_table *t, size_t row,
		    const struct layout *layout, FILE *out)
{
	struct line l = { out, layout->indent };

	for (size_t i = 0; i < layout->count; i++)
		put_cell(t, row, layout, i, &l);
	end_line(&l);
}

static void put_titles(const struct wm_table *t, const struct layout *layout,
		       bool first, FILE *out)
{
	struct line l = { out, layout->indent };

	for (size_t i = 0; i < layout->count; i++) {
		const char *title = title_of(t, layout, i);
		bool right = !wm_unit_is_text(unit_of(t, layout, i));
		struct title s = split_title(title);

		if (!layout->two_lines || s.to - s.from <= layout->room[i] ||
		    !title_width(t, layout, i)) {
			if (first)
				s.to = s.from;
		} else if (first) {
			s.to = s.cut;
		} else {
			s.from = s.cut + 1;
		}
		l.blanks += 2;
		put_padded(&l, title + s.from, s.to - s.from, s.to - s.from,
			   layout->room[i], right);
	}
	end_line(&l);
}

static bool has_titles(const struct wm_table *t, const struct layout *l)
{
	for (size_t i = 0; i < l->count; i++) {
		const char *title = title_of(t, l, i);

		if (title[strspn(title, " ")])
			return true;
	}
	return false;
}

static void put_rest(const struct wm_table *t, size_t n, bool top_given,
		     FILE *out)
{
	const char *how = top_given ? "" : " (--top all)";

	if (t->noun)
		fprintf(out, "  %zu more %s%s%s\n", n, t->noun,
			n == 1 ? "" : "s", how);
	else
		fprintf(out, "  ... %zu more%s\n", n, how);
}

static void put_table(const struct wm_table *t, const struct layout *l,
		      size_t rows, FILE *out)
{
	size_t r, depth, before = 0;

	if (has_titles(t, l)) {
		if (l->two_lines)
			put_titles(t, l, true, out);
		put_titles(t, l, false, out);
	}
	for (r = 0; r < rows; r++, before = depth) {
		depth = wm_table_depth(t, r);
		if (t->airy && !depth && before)
			putc('\n', out);
		put_row(t, r, &l[wm_table_level_of(t, depth)], out);
	}
}

/* Returns whether another level of the same indent is tight, but not @i. */
static bool should_be_tight(const struct layout *l, size_t levels, size_t i)
{
	for (size_t k = 0; k < levels && !l[i].tight; k++)
		if (l[k].tight && l[k].indent == l[i].indent)
			return true;
	return false;
}

static bool lay_out_levels(const struct wm_table *t, size_t rows, size_t most,
			   struct layout *l, size_t levels)
{
	bool good = true;

	for (size_t i = 0; i < levels && good; i++)
		good = lay_out(t, i, rows, most, false, &l[i]);
	for (size_t i = 0; i < levels && good; i++)
		if (should_be_tight(l, levels, i)) {
			free(l[i].column);
			good = lay_out(t, i, rows, most, true, &l[i]);
		}
	return good;
}

/* Returns whether one of @levels leaves out column @c. */
static bool has_gone(const struct layout *l, size_t levels, size_t c)
{
	for (size_t i = 0; i < levels; i++)
		for (size_t k = 0; k < l[i].gone_count; k++)
			if (l[i].gone[k] == c)
				return true;
	return false;
}

/* Lists the titles of columns that any level leaves out, each title once. */
static void put_gone(const struct wm_table *t, const struct layout *l,
		     size_t levels, FILE *out)
{
	const char *before = "  not shown: ";
	size_t i, k, gone = 0;

	for (i = 0; i < levels; i++)
		for (k = 0; k < l[i].gone_count; k++) {
			const char *title = t->column[l[i].gone[k]].title;

			if (has_gone(l, i, l[i].gone[k]))
				continue;
			fprintf(out, "%s%s", before,
				title + strspn(title, " "));
			before = ", ";
			gone++;
		}
	if (gone)
		fprintf(out, " (COLUMNS=200 shows %s)\n",
			gone == 1 ? "it" : "them");
}

bool wm_text_table(const struct wm_table *t, size_t top, bool top_given,
		   size_t columns, FILE *out)
{
	size_t all = wm_table_rows(t), rows = top && top < all ? top : all;
	size_t levels = t->levels ? t->levels : 1, i;
	struct layout l[WM_TABLE_LEVELS] = { { .count = 0 } };
	bool good = lay_out_levels(t, rows, columns, l, levels);

	if (good) {
		put_table(t, l, rows, out);
		if (rows < all)
			put_rest(t, all - rows, top_given, out);
		put_gone(t, l, levels, out);
	}
	for (i = 0; i < levels; i++)
		free(l[i].column);
	return good;
}
