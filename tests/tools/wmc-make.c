/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wmc-make FILE: a bundle (docs/census-format.md) from a readable description
 * on stdin, one statement a line; # begins a comment.
 *
 *   version MAJOR MINOR     default: of today
 *   program NAME | build-id HEX | map NAME | debug N
 *   section NAME ADDRESS BYTES CLASS
 *   row NAME|- ADDRESS BYTES OBJECT|- FILE|- LINE FLAGS    of that section
 *   function NAME ADDRESS BYTES OBJECT
 *   line ADDRESS FILE|- NUMBER
 *   inline ADDRESS BYTES NAME FILE LINE
 *   unseen TEXT
 *   hooked N | hookless NAME OBJECTS FLAGS | receiver FILE LINE NAME
 *   later                   a field and a column that no version has
 */
#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/fixture.h"
#include "wm/census_format.h"

#define LATER_COLUMN (WMC_COL_LIMIT + 1)
#define LATER_FIELD (WMC_F_LIMIT + 1)

static struct {
	unsigned major, minor;
	struct fix_bytes fields, column[LATER_COLUMN + 1];
	uint64_t before[LATER_COLUMN + 1]; /* of columns of differences */
	uint64_t rows[WMC_F_LIMIT], section_rows, sections;
	uint64_t function_end, line, inline_at;
	char *string[256];
} g = { .major = WMC_MAJOR, .minor = WMC_MINOR };

#define X(name, number, table, code) [number] = WMC_ENC_##code,
static const uint8_t encoding[LATER_COLUMN + 1] = { WMC_COLUMN_LIST(X) };
#undef X

static void put_field(unsigned tag, const void *p, size_t n)
{
	fix_varint(&g.fields, tag);
	fix_varint(&g.fields, n);
	fix_put(&g.fields, p, n);
}

static void put_text(unsigned tag, const char *text)
{
	put_field(tag, text, strlen(text));
}

static void put_number(unsigned tag, uint64_t v)
{
	struct fix_bytes value = { 0 };

	fix_varint(&value, v);
	put_field(tag, value.p, value.n);
	free(value.p);
}

/* A value of the next row of a column's table. */
static void put(unsigned column, uint64_t v)
{
	if (encoding[column] == WMC_ENC_DELTA)
		fix_zigzag(&g.column[column], (int64_t)(v - g.before[column]));
	else
		fix_varint(&g.column[column], v);
	g.before[column] = v;
}

static uint64_t string(const char *s)
{
	uint64_t i;

	if (!strcmp(s, "-"))
		return 0;
	for (i = 0; i < g.rows[WMC_F_STRINGS]; i++)
		if (!strcmp(g.string[i], s))
			return i + 1;
	if (i == 256)
		fix_die("too many strings");
	g.string[i] = fix_alloc(NULL, strlen(s) + 1);
	strcpy(g.string[i], s);
	fix_put(&g.column[WMC_COL_STRING], s, strlen(s) + 1);
	return ++g.rows[WMC_F_STRINGS];
}

static void end_section(void)
{
	if (g.rows[WMC_F_SECTIONS])
		put(WMC_COL_SECTION_ROWS, g.section_rows);
	g.section_rows = 0;
}

static bool census_statement(const char *s)
{
	if (!strcmp(s, "section")) {
		end_section();
		g.rows[WMC_F_SECTIONS]++;
		put(WMC_COL_SECTION_NAME, string(fix_word()));
		put(WMC_COL_SECTION_ADDRESS, fix_number());
		put(WMC_COL_SECTION_BYTES, fix_number());
		put(WMC_COL_SECTION_CLASS, fix_number());
	} else if (!strcmp(s, "row")) {
		g.section_rows++;
		g.rows[WMC_F_ROWS]++;
		put(WMC_COL_ROW_NAME, string(fix_word()));
		put(WMC_COL_ROW_ADDRESS, fix_number());
		put(WMC_COL_ROW_BYTES, fix_number());
		put(WMC_COL_ROW_OBJECT, string(fix_word()));
		put(WMC_COL_ROW_FILE, string(fix_word()));
		put(WMC_COL_ROW_LINE, fix_number());
		put(WMC_COL_ROW_FLAGS, fix_number());
	} else {
		return false;
	}
	return true;
}

static void add_function(void)
{
	uint64_t name = string(fix_word()), at = fix_number(),
		 bytes = fix_number();

	g.rows[WMC_F_FUNCTIONS]++;
	put(WMC_COL_FUNCTION_GAP, at - g.function_end);
	put(WMC_COL_FUNCTION_BYTES, bytes);
	put(WMC_COL_FUNCTION_NAME, name);
	put(WMC_COL_FUNCTION_OBJECT, string(fix_word()));
	g.function_end = at + bytes;
}

static void add_line(void)
{
	uint64_t at = fix_number();

	g.rows[WMC_F_LINES]++;
	put(WMC_COL_LINE_STEP, at - g.line);
	put(WMC_COL_LINE_FILE, string(fix_word()));
	put(WMC_COL_LINE_NUMBER, fix_number());
	g.line = at;
}

static void add_inline(void)
{
	uint64_t at = fix_number();

	g.rows[WMC_F_INLINES]++;
	put(WMC_COL_INLINE_STEP, at - g.inline_at);
	put(WMC_COL_INLINE_BYTES, fix_number());
	put(WMC_COL_INLINE_NAME, string(fix_word()));
	put(WMC_COL_INLINE_FILE, string(fix_word()));
	put(WMC_COL_INLINE_LINE, fix_number());
	g.inline_at = at;
}

static void add_hookless(void)
{
	g.rows[WMC_F_HOOKLESS]++;
	put(WMC_COL_HOOKLESS_NAME, string(fix_word()));
	put(WMC_COL_HOOKLESS_OBJECTS, fix_number());
	put(WMC_COL_HOOKLESS_FLAGS, fix_number());
}

static void add_receiver(void)
{
	g.rows[WMC_F_RECEIVERS]++;
	put(WMC_COL_RECEIVER_FILE, string(fix_word()));
	put(WMC_COL_RECEIVER_LINE, fix_number());
	put(WMC_COL_RECEIVER_NAME, string(fix_word()));
}

static bool place_statement(const char *s)
{
	if (!strcmp(s, "function"))
		add_function();
	else if (!strcmp(s, "line"))
		add_line();
	else if (!strcmp(s, "inline"))
		add_inline();
	else if (!strcmp(s, "hookless"))
		add_hookless();
	else if (!strcmp(s, "receiver"))
		add_receiver();
	else
		return false;
	return true;
}

static void put_build_id(const char *s)
{
	uint8_t id[64];

	put_field(WMC_F_BUILD_ID, id, fix_hex(id, s));
}

static void head_statement(const char *s)
{
	if (!strcmp(s, "version")) {
		g.major = (unsigned)fix_number();
		g.minor = (unsigned)fix_number();
	} else if (!strcmp(s, "program")) {
		put_text(WMC_F_PROGRAM, fix_word());
	} else if (!strcmp(s, "build-id")) {
		put_build_id(fix_word());
	} else if (!strcmp(s, "map")) {
		put_text(WMC_F_LINK_MAP, fix_word());
	} else if (!strcmp(s, "debug")) {
		put_number(WMC_F_DEBUG, fix_number());
	} else if (!strcmp(s, "unseen")) {
		const char *text = strtok(NULL, "\n");

		put_text(WMC_F_UNSEEN, text ? text : "");
	} else if (!strcmp(s, "hooked")) {
		put_number(WMC_F_HOOKED, fix_number());
	} else if (!strcmp(s, "later")) {
		put_text(LATER_FIELD, "later");
		fix_put(&g.column[LATER_COLUMN], "later", 5);
	} else {
		fix_die("unknown statement '%s'", s);
	}
}

static void put_tables(struct fix_bytes *out)
{
	static const uint8_t table[LATER_COLUMN + 1] = {
#define X(name, number, table, code) [number] = WMC_F_##table,
		WMC_COLUMN_LIST(X)
#undef X
	};
	uint64_t n = 0;
	unsigned i;

	for (i = 1; i <= LATER_COLUMN; i++)
		n += table[i] || g.column[i].n;
	fix_varint(out, n);
	for (i = 1; i <= LATER_COLUMN; i++)
		if (table[i] || g.column[i].n) {
			fix_varint(out, i);
			fix_varint(out, encoding[i]);
			fix_varint(out, g.column[i].n);
		}
	for (i = 1; i <= LATER_COLUMN; i++)
		fix_put(out, g.column[i].p, g.column[i].n);
}

static void write_bundle(const char *path)
{
	uint8_t version[] = { (uint8_t)g.major, (uint8_t)g.minor, 0, 0 };
	struct fix_bytes out = { 0 };
	uint8_t *xz;
	size_t n = 0, most;
	FILE *f = fopen(path, "w");

	fix_put(&out, WMC_MAGIC, WMC_MAGIC_SIZE);
	fix_put(&out, version, sizeof(version));
	for (unsigned t = WMC_F_STRINGS; t < WMC_F_LIMIT; t++)
		put_number(t, g.rows[t]);
	fix_put(&out, g.fields.p, g.fields.n);
	fix_put(&out, "", 1);
	put_tables(&out);
	most = lzma_stream_buffer_bound(out.n);
	xz = fix_alloc(NULL, most);
	if (lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, out.p, out.n, xz,
				    &n, most) != LZMA_OK)
		fix_die("liblzma failed");
	if (!f || fwrite(xz, 1, n, f) != n || fclose(f))
		fix_die("%s: cannot be written", path);
	free(xz);
	free(out.p);
}

static void statement(const char *s)
{
	if (!census_statement(s) && !place_statement(s))
		head_statement(s);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fputs("usage: wmc-make FILE\n", stderr);
		return 2;
	}
	fix_read(stdin, "stdin", statement);
	end_section();
	write_bundle(argv[1]);
	return 0;
}
