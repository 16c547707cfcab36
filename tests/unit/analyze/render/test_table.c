/* SPDX-License-Identifier: Apache-2.0 */
/* Tables in all forms: unexpected numbers, names and widths. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/render/doc.h"
#include "analyze/render/width.h"
#include "tests/unit/tap.h"

static char *text;
static size_t size;

/* Tell @t, which goes, in a form and @columns; what was written stays in text.
 * Returns the status. */
static enum wm_status tell(struct wm_table *t, const struct wm_form *form,
			   size_t columns, int wrap)
{
	enum wm_status s;
	struct wm_err err;
	struct wm_doc d;
	FILE *out;

	free(text);
	text = NULL;
	out = open_memstream(&text, &size);
	wm_doc_init(&d, form, out, &err);
	d.columns = columns;
	d.wrap = wrap;
	wm_json_object(&d.data, NULL);
	wm_doc_table(&d, t, "rows", 0, WM_FOR_ALL);
	wm_json_end_object(&d.data);
	s = wm_doc_end(&d, WM_OK);
	fclose(out);
	return s;
}

/* The widest line but for what is said of columns, and whether one ends in a
 * blank. */
static size_t widest(int *blank)
{
	char *copy = strdup(text), *rest = copy, *line;
	size_t most = 0, n;

	*blank = 0;
	while ((line = strsep(&rest, "\n"))) {
		n = strncmp(line, "  not shown:", 12) ? wm_width(line) : 0;
		most = n > most ? n : most;
		*blank |= *line && line[strlen(line) - 1] == ' ';
	}
	free(copy);
	return most;
}

static const struct wm_table_column numbers[] = {
	{ "rank", "rank", WM_UNIT_NUMBER },
	{ "bytes", "bytes", WM_UNIT_BYTES },
	{ "blocks", "how many blocks", WM_UNIT_BLOCKS },
	{ "count", "allocations", WM_UNIT_COUNT },
	{ "change", "change", WM_UNIT_CHANGE },
	{ "gain", "gain", WM_UNIT_GAIN },
	{ "time_s", "at", WM_UNIT_SECONDS },
	{ "moment_s", "from", WM_UNIT_MOMENT },
	{ "share", "share of all", WM_UNIT_PERCENT },
	{ "error", "error", WM_UNIT_REAL },
	{ "bar", "                    ", WM_UNIT_BAR },
	{ "name", "function", WM_UNIT_TEXT },
};

static void add_numbers(struct wm_table *t, uint64_t u, int64_t i, double r,
			const char *name)
{
	int k;

	for (k = 0; k < 4; k++)
		wm_table_uint(t, u);
	WM_TABLE_ADD(t, i);
	WM_TABLE_ADD(t, i);
	for (k = 0; k < 5; k++)
		WM_TABLE_ADD(t, r);
	wm_table_text(t, name);
}

static void fill(struct wm_table *t)
{
	static char name[4097];

	memset(name, 'x', sizeof(name) - 1);
	WM_TABLE_INIT(t, numbers);
	add_numbers(t, 0, 0, 0, "");
	add_numbers(t, UINT64_MAX, INT64_MAX, NAN, name);
	add_numbers(t, 1, INT64_MIN, INFINITY, "変数変数変数変数変数変数変数");
	add_numbers(t, 1024, -1, -INFINITY, "a\"b,c</script>\n=d");
	add_numbers(t, 99, 1, -5e-324, NULL);
	add_numbers(t, 99, 1, 0.5, "main");
}

static void test_widths(void)
{
	size_t columns, n, wide = 0, wrapped = 0;
	int blank, blanks = 0;
	struct wm_table t;

	for (columns = 1; columns < 400; columns++) {
		fill(&t);
		tell(&t, &wm_text_form, columns, 0);
		n = widest(&blank);
		wide += columns > 36 && n > columns;
		blanks += blank;
		fill(&t);
		tell(&t, &wm_text_form, columns, 1);
		wrapped += columns > 36 && widest(&blank) > columns;
	}
	ok(!wide, "no line is too long (%zu of 399 widths)", wide);
	ok(!wrapped, "nor where lines are wrapped (%zu)", wrapped);
	ok(!blanks, "no line ends in a blank (%d)", blanks);
	fill(&t);
	tell(&t, &wm_text_form, SIZE_MAX, 1);
	/* a name has at most 400 columns */
	ok(widest(&blank) < 800, "nor is one filled up for its own sake");
}

static void test_alignment(void)
{
	static const struct wm_table_column two[] = {
		{ "name", "name", WM_UNIT_TEXT },
		{ "bytes", "bytes", WM_UNIT_BYTES },
	};
	static const char *const names[] = { "é", "変数", "e\xcc\x81" };
	struct wm_table t;
	size_t i;

	WM_TABLE_INIT(&t, two);
	for (i = 0; i < 3; i++) {
		wm_table_text(&t, names[i]);
		wm_table_uint(&t, (uint64_t)1 << (13 * i));
	}
	tell(&t, &wm_text_form, 80, 0);
	ok(!strcmp(text, "  name     bytes\n"
			 "  é       1 byte\n"
			 "  変数   8.0 KiB\n"
			 "  e\xcc\x81     64.0 MiB\n"),
	   "numbers align behind names of any script");
}

static void test_numbers(void)
{
	struct wm_table t;

	fill(&t);
	tell(&t, &wm_text_form, 400, 0);
	ok(strstr(text, "16.0 EiB  18,446,744,073,709,551,615 blocks"),
	   "text: the largest numbers");
	ok(strstr(text, "-9,223,372,036,854,775,808"), "text: the smallest");
	ok(!strstr(text, "nan") && !strstr(text, "inf"),
	   "text: what is no number is none");
	ok(!strstr(text, "-0.0 %"), "text: nothing has no sign");
	fill(&t);
	tell(&t, &wm_json_form, 80, 0);
	ok(strstr(text, "\"time_s\": null, \"moment_s\": null"),
	   "JSON: nor there");
	ok(strstr(text, "a\\\"b,c</script>\\n=d"), "JSON: names");
	fill(&t);
	tell(&t, &wm_csv_form, 80, 0);
	ok(strstr(text, "9223372036854775807,,,,,,x"), "CSV: nor there");
	ok(strstr(text, ",\"a\"\"b,c</script>\n=d\"\n"), "CSV: names");
	fill(&t);
	tell(&t, &wm_page_form, 80, 0);
	ok(!strstr(text, "nan") && !strstr(text, "inf") &&
		   !strstr(text, "width:-"),
	   "page: nor there");
	ok(strstr(text, "c&lt;/script&gt;") && !strstr(text, "</script"),
	   "page: names");
}

static const struct wm_form *const forms[] = { &wm_text_form, &wm_json_form,
					       &wm_csv_form, &wm_page_form };

static void test_few(void)
{
	static const char *const none[] = { "  rank", "{\n  \"rows\": []\n}\n",
					    "rank,bytes,", "<table>" };
	size_t k, good = 0;
	struct wm_table t;

	for (k = 0; k < 4; k++) {
		WM_TABLE_INIT(&t, numbers);
		if (!tell(&t, forms[k], 400, 0))
			good += strncmp(text, none[k], strlen(none[k])) == 0;
	}
	ok(good == 4, "a table without rows (%zu forms)", good);
	for (k = good = 0; k < 4; k++) {
		WM_TABLE_INIT(&t, numbers);
		wm_table_uint(&t, 4711);
		good += !tell(&t, forms[k], 80, 0) && strstr(text, "4711");
	}
	ok(good == 4, "a row that ends early (%zu forms)", good);
}

static const struct wm_table_column holders[] = {
	{ "name", "function", WM_UNIT_TEXT },
	{ "bytes", "bytes", WM_UNIT_BYTES },
	{ ".words", "", WM_UNIT_WORDS },
};

static void describe(struct wm_table *t)
{
	WM_TABLE_INIT(t, holders);
	wm_table_level(t, "bytes name", 0, NULL);
	wm_table_level(t, "bytes .words", 4, "paths");
	wm_table_level(t, "name", 8, "frames");
}

static void add_holder(struct wm_table *t, size_t depth, const char *name)
{
	wm_table_row(t, depth);
	wm_table_name(t, name, "  a.c:1");
	wm_table_uint(t, depth);
}

static void test_levels(void)
{
	struct wm_table t;
	size_t k, i, good = 0;

	describe(&t);
	add_holder(&t, 0, "f");
	add_holder(&t, 1, "p");
	add_holder(&t, 2, "main");
	add_holder(&t, 0, "g");
	tell(&t, &wm_text_form, 80, 0);
	ok(!strcmp(text, "    bytes  function\n  0 bytes  f  a.c:1\n"
			 "      1 byte\n          main  a.c:1\n"
			 "  0 bytes  g  a.c:1\n"),
	   "text: levels");
	describe(&t);
	add_holder(&t, 0, "f");
	add_holder(&t, 1, "p");
	add_holder(&t, 2, "main");
	tell(&t, &wm_json_form, 80, 0);
	ok(strstr(text, "\"paths\": [") && strstr(text, "\"frames\": [\n"),
	   "JSON: arrays in objects");
	/* levels that are left out, none above, and too many */
	for (k = 0; k < 4; k++) {
		describe(&t);
		for (i = 0; i < 8; i++)
			add_holder(&t, (i * 5 + 2) % 7, "f");
		good += !tell(&t, forms[k], 80, 1);
	}
	ok(good == 4, "levels out of order (%zu forms)", good);
}

/* A column that one level alone has not shown. */
static void test_gone(void)
{
	static const struct wm_table_column columns[] = {
		{ "section", "section", WM_UNIT_TEXT },
		{ "name", "object", WM_UNIT_TEXT },
		{ "bytes", "bytes", WM_UNIT_COUNT },
	};
	static const char section[] = ".a_section_with_a_long_name";
	struct wm_table t;
	size_t i;

	WM_TABLE_INIT(&t, columns);
	wm_table_level(&t, "bytes name", 0, NULL);
	wm_table_level(&t, "bytes section name", 0, NULL);
	for (i = 0; i < 2; i++) {
		wm_table_row(&t, i);
		wm_table_text(&t, section);
		wm_table_text(&t, "a_variable_with_a_long_name");
		wm_table_uint(&t, 7);
	}
	tell(&t, &wm_text_form, 40, 0);
	ok(!strcmp(text, "  bytes  object\n"
			 "      7  a_variable_with_a_long_name\n"
			 "      7  a_variable_with_a_long_name\n"
			 "  not shown: section (COLUMNS=200 shows it)\n"),
	   "what goes from a level below is named, too");
}

static void test_deep(void)
{
	size_t k, i, good = 0;
	struct wm_table t;
	int blank;

	for (k = 0; k < 4; k++) {
		WM_TABLE_INIT(&t, holders);
		wm_table_level(&t, "bytes name", 0, "children");
		t.deep = 1;
		for (i = 0; i < 500; i++) {
			wm_table_row(&t, i);
			wm_table_text(&t, "a_function_with_a_name");
			wm_table_uint(&t, i);
		}
		good += !tell(&t, forms[k], 40, 0);
		if (!k)
			ok(widest(&blank) <= 40, "a deep tree fits (%zu)",
			   widest(&blank));
	}
	ok(good == 4, "and is told in %zu forms", good);
}

/* Parameters are left out but where they tell two functions apart; a place
 * behind the name stays. */
static void test_bare_names(void)
{
	static const char *const names[] = { "set(int)", "set(double)",
					     "get(int)", "get(int)" };
	static const struct wm_table_column columns[] = {
		{ "bytes", "bytes", WM_UNIT_BYTES },
		{ "name", "function", WM_UNIT_TEXT },
	};
	struct wm_table t;
	size_t i, k;

	for (k = 0; k < 2; k++) {
		WM_TABLE_INIT(&t, columns);
		for (i = 0; i < 4; i++) {
			wm_table_uint(&t, 1);
			wm_table_name(&t, names[i], "  a.cc:1");
		}
		tell(&t, k ? &wm_json_form : &wm_text_form, 80, 0);
		ok(strstr(text, "set(int)") && strstr(text, "set(double)"),
		   "overloads keep their parameters");
		ok(!strstr(text, "get(") == !k, "others only for programs");
		ok(k || strstr(text, "get  a.cc:1"), "with the place");
	}
}

int main(void)
{
	tap_plan(29);
	test_widths();
	test_alignment();
	test_numbers();
	test_few();
	test_levels();
	test_gone();
	test_deep();
	test_bare_names();
	free(text);
	return tap_done();
}
