/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The writer of the bundle (wmcc/) against its reader (analyze/): what goes in
 * comes out, and damage of any kind is an error.
 */
#include "analyze/symbols/read_bundle.h"
#include "wmcc/census/census_model.h"

#include <inttypes.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/tap.h"
#include "wm/census_format.h"
#include "wm/varint.h"

static char path[] = "/tmp/wm-census-XXXXXX";

static int save(const uint8_t *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");
	size_t n;

	if (!f)
		return -1;
	n = fwrite(bytes, 1, size, f);
	return fclose(f) || n != size ? -1 : 0;
}

/* Wrap a decoded bundle as the format wants it and save it. */
static int save_decoded(const uint8_t *bytes, size_t size)
{
	static uint8_t out[1 << 16];
	size_t n = 0;

	if (lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, bytes, size, out,
				    &n, sizeof(out)) != LZMA_OK)
		return -1;
	return save(out, n);
}

static enum wm_status try_open(struct wm_err *err)
{
	struct wm_bundle *b;
	struct wm_location locations[4];
	enum wm_status status = wm_bundle_open(&b, path, err);
	uint64_t i;

	if (status == WM_OK)
		for (i = 0; i < 0x3000; i += 16) {
			wm_bundle_find(b, i, locations);
			if (wm_bundle_frames(b, i, locations, 4) > 4)
				abort();
		}
	wm_bundle_free(b);
	return status;
}

static struct wm_model_section *add_section(struct wm_census_model *m,
					    const char *name, uint32_t class,
					    uint64_t bytes)
{
	struct wm_model_section *s = wm_vec_add(&m->sections);

	if (!s)
		abort();
	s->name = wm_strings_add(&m->strings, name);
	s->class = class;
	s->bytes = bytes;
	s->address = 0x4000;
	s->first_row = m->rows.count;
	return s;
}

static void add_row(struct wm_census_model *m, const char *name, uint64_t bytes,
		    const char *object, uint32_t line, uint32_t flags)
{
	struct wm_model_row *r = wm_vec_add(&m->rows);
	struct wm_model_section *s = m->sections.items;

	if (!r)
		abort();
	r->name = wm_strings_add(&m->strings, name);
	r->object = wm_strings_add(&m->strings, object);
	r->bytes = bytes;
	r->address = name ? 0x4000 + m->rows.count * 0x100 : 0;
	r->file = line ? wm_strings_add(&m->strings, "src/a.c") : 0;
	r->line = line;
	r->flags = flags;
	s[m->sections.count - 1].rows++;
}

static void add_function(struct wm_census_model *m, uint64_t address,
			 uint64_t bytes, const char *name, const char *object)
{
	struct wm_model_function *f = wm_vec_add(&m->functions);

	if (!f)
		abort();
	f->address = address;
	f->bytes = bytes;
	f->name = wm_strings_add(&m->strings, name);
	f->object = wm_strings_add(&m->strings, object);
}

static void add_line(struct wm_census_model *m, uint64_t address,
		     const char *file, uint32_t line)
{
	struct wm_model_line *l = wm_vec_add(&m->lines);

	if (!l)
		abort();
	l->address = address;
	l->file = wm_strings_add(&m->strings, file);
	l->line = line;
}

static void add_inline(struct wm_census_model *m, uint64_t address,
		       uint64_t bytes, const char *name, const char *file,
		       uint32_t line)
{
	struct wm_model_inline *in = wm_vec_add(&m->inlines);

	if (!in)
		abort();
	in->address = address;
	in->bytes = bytes;
	in->name = wm_strings_add(&m->strings, name);
	in->file = wm_strings_add(&m->strings, file);
	in->line = line;
}

static void add_hookless(struct wm_census_model *m, const char *name,
			 uint64_t objects, uint32_t flags)
{
	struct wm_model_hookless *h = wm_vec_add(&m->hookless);

	if (!h)
		abort();
	h->name = wm_strings_add(&m->strings, name);
	h->objects = objects;
	h->flags = flags;
}

static void sample(struct wm_census_model *m)
{
	wm_model_init(m);
	m->program = "app";
	m->link_map = "bfd";
	m->debug = WMC_DEBUG_VARIABLES | WMC_DEBUG_LINES;
	memcpy(m->build_id, "\1\2\3\4", 4);
	m->build_id_size = 4;
	add_section(m, ".text", WMC_CLASS_OTHER, 1000);
	add_row(m, NULL, 1000, NULL, 0, 0);
	add_section(m, ".tdata", WMC_CLASS_TLS, 8);
	add_row(m, "tls", 8, "a.o", 3, 0);
	add_section(m, ".data.rel.ro", WMC_CLASS_RELRO, 16);
	add_row(m, NULL, 16, "a.o", 0, 0);
	add_section(m, ".rodata", WMC_CLASS_RODATA, 5);
	add_row(m, NULL, 5, "a.o", 0, 0);
	add_section(m, ".data", WMC_CLASS_DATA, 0);
	add_section(m, ".bss", WMC_CLASS_BSS, 1ull << 40);
	add_row(m, "small", 96, "a.o", 7, 0);
	add_row(m, "blk_", 800, "libb.a(b.o)", 4000000000u, WMC_ROW_COMMON);
	add_row(m, "large", (1ull << 40) - 900, "a.o", 0, 0);
	add_row(m, NULL, 4, NULL, 0, 0);
	add_function(m, 0x1000, 0x100, "main", "a.o");
	add_function(m, 0x1100, 0x10, "malloc", NULL);
	add_function(m, 0x2000, 0x100, "main", "libb.a(b.o)");
	add_line(m, 0x1000, "src/a.c", 10);
	add_line(m, 0x1008, "src/a.c", 9);
	add_line(m, 0x1020, "include/inline.h", 1);
	add_line(m, 0x1080, NULL, 0);
	add_line(m, 0x2000, "src/b.c", 4000000000u);
	add_line(m, 0x2100, NULL, 0);
	add_inline(m, 0x1010, 0x50, "box::fill", "src/a.c", 11);
	add_inline(m, 0x1010, 0x30, "box::push", "include/inline.h", 5);
	add_inline(m, 0x1020, 0x10, NULL, NULL, 0);
	add_inline(m, 0x1030, 0x10, "grow", "include/inline.h", 4000000000u);
	add_inline(m, 0x1040, 0x20, "last", "include/inline.h", 7);
	add_inline(m, 0x2000, 0x100, "whole", "src/b.c", 1);
	m->hooked = 5;
	add_hookless(m, "asm.o", 1, 0);
	add_hookless(m, "/usr/lib/libc.a", 1ull << 40, WMC_HOOKLESS_SYSTEM);
}

static void check_hookless(const struct wm_census *c)
{
	const struct wm_census_hookless *h = c->hookless;

	ok(c->hooked == 5 && c->hookless_count == 2 &&
		   !strcmp(h[0].name, "asm.o") && h[0].objects == 1 &&
		   !h[0].system && !strcmp(h[1].name, "/usr/lib/libc.a") &&
		   h[1].objects == 1ull << 40 && h[1].system,
	   "objects with hooks and without");
}

static int is_location(const struct wm_bundle *b, uint64_t address,
		       const char *function, const char *file, uint32_t line,
		       const char *object)
{
	struct wm_location p;

	if (!wm_bundle_find(b, address, &p))
		return !function && !file;
	return (function ? p.function && !strcmp(p.function, function) :
			   !p.function) &&
	       (file ? p.file && !strcmp(p.file, file) : !p.file) &&
	       (object ? p.object && !strcmp(p.object, object) : !p.object) &&
	       p.line == line;
}

static void check_census(const struct wm_bundle *b)
{
	const struct wm_census *c = wm_bundle_census(b);
	const struct wm_census_section *s = &c->sections[5];
	const struct wm_census_row *r = c->rows + s->first_row;
	const uint8_t *id;
	size_t n;

	ok(!strcmp(c->program, "app") && !strcmp(c->link_map, "bfd") &&
		   c->has_lines,
	   "program, map, debug information");
	id = wm_bundle_build_id(b, &n);
	ok(n == 4 && !memcmp(id, "\1\2\3\4", 4), "build-id");
	check_hookless(c);
	ok(c->section_count == 6 && c->row_count == 8, "numbers of rows");
	ok(c->data == 0 && c->bss == 1ull << 40 && c->tls == 8 &&
		   c->rodata == 5 && c->relro == 16 && c->other == 1000 &&
		   c->static_bytes == (1ull << 40) + 8,
	   "totals by class");
	ok(!strcmp(s->name, ".bss") && s->class == WM_CENSUS_BSS &&
		   s->bytes == 1ull << 40 && s->rows == 4 &&
		   s->address == 0x4000,
	   "a section");
	ok(!strcmp(r[0].name, "large") && !strcmp(r[1].name, "blk_") &&
		   !strcmp(r[2].name, "small") && !r[3].name,
	   "rows descend by bytes");
	ok(r[1].common && !r[0].common && !strcmp(r[1].section, ".bss") &&
		   !strcmp(r[1].object, "libb.a(b.o)") &&
		   !strcmp(r[1].file, "src/a.c") && r[1].line == 4000000000u &&
		   r[1].bytes == 800 && r[1].address == 0x4600,
	   "a row");
	ok(!r[3].object && !r[3].file && !r[3].line && !r[3].address,
	   "a row of padding");
}

static void check_locations(const struct wm_bundle *b)
{
	ok(is_location(b, 0xfff, NULL, NULL, 0, NULL), "before all");
	ok(is_location(b, 0x1000, "main", "src/a.c", 10, "a.o"), "first byte");
	ok(is_location(b, 0x1007, "main", "src/a.c", 10, "a.o"),
	   "within a line");
	ok(is_location(b, 0x101f, "main", "src/a.c", 9, "a.o"),
	   "lines go back");
	ok(is_location(b, 0x1020, "main", "include/inline.h", 1, "a.o"),
	   "another file");
	ok(is_location(b, 0x10ff, "main", NULL, 0, "a.o"),
	   "a sequence has ended");
	ok(is_location(b, 0x1100, "malloc", NULL, 0, NULL), "next function");
	ok(is_location(b, 0x1110, NULL, NULL, 0, NULL), "between functions");
	ok(is_location(b, 0x20ff, "main", "src/b.c", 4000000000u,
		       "libb.a(b.o)"),
	   "last byte");
	ok(is_location(b, 0x2100, NULL, NULL, 0, NULL), "after all");
	ok(is_location(b, UINT64_MAX, NULL, NULL, 0, NULL), "far after all");
}

/* Places in one text: "function file:line < ..." */
static const char *frames_of(const struct wm_bundle *b, uint64_t address,
			     size_t room)
{
	static char text[512];
	struct wm_location p[8];
	size_t count, i, n = 0;

	count = wm_bundle_frames(b, address, p, room);
	text[0] = 0;
	for (i = 0; i < count; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s %s:%u",
				      i ? " < " : "",
				      p[i].function ? p[i].function : "?",
				      p[i].file ? p[i].file : "?", p[i].line);
	return text;
}

static void check_frames(const struct wm_bundle *b)
{
	static const struct {
		uint64_t address;
		size_t room;
		const char *want;
	} rows[] = {
		{ 0xfff, 8, "" },
		{ 0x100f, 8, "main src/a.c:9" },
		{ 0x1010, 8,
		  "box::push src/a.c:9 < "
		  "box::fill include/inline.h:5 < main src/a.c:11" },
		{ 0x1020, 8,
		  "? include/inline.h:1 < box::push ?:0 < "
		  "box::fill include/inline.h:5 < main src/a.c:11" },
		{ 0x103f, 8,
		  "grow include/inline.h:1 < "
		  "box::push include/inline.h:4000000000 < "
		  "box::fill include/inline.h:5 < main src/a.c:11" },
		{ 0x103f, 2, "box::fill include/inline.h:5 < main src/a.c:11" },
		{ 0x103f, 1, "main src/a.c:11" },
		{ 0x103f, 0, "" },
		{ 0x1040, 8,
		  "last include/inline.h:1 < "
		  "box::fill include/inline.h:7 < main src/a.c:11" },
		{ 0x105f, 8,
		  "last include/inline.h:1 < "
		  "box::fill include/inline.h:7 < main src/a.c:11" },
		{ 0x1060, 8, "main include/inline.h:1" },
		{ 0x2000, 8, "whole src/b.c:4000000000 < main src/b.c:1" },
		{ 0x2100, 8, "" },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *got = frames_of(b, rows[i].address, rows[i].room);

		ok(!strcmp(got, rows[i].want),
		   "frames of %#" PRIx64 ", %zu: %s", rows[i].address,
		   rows[i].room, got);
	}
}

/* Decode what the writer wrote; fits @out. */
static size_t decode(const uint8_t *bytes, size_t size, uint8_t *out,
		     size_t room)
{
	uint64_t limit = 1 << 28;
	size_t in = 0, n = 0;

	if (lzma_stream_buffer_decode(&limit, 0, NULL, bytes, &in, size, out,
				      &n, room) != LZMA_OK)
		return 0;
	return n;
}

/* Every byte of the decoded bundle changed in several ways, every length. */
static void fuzz_decoded(const uint8_t *good, size_t n)
{
	static const uint8_t flips[] = { 1, 2, 4, 8, 16, 32, 64, 128, 0xff };
	size_t i, j, opened = 0, odd = 0;
	static uint8_t copy[1 << 14];
	struct wm_err err;
	enum wm_status s;

	for (i = 0; i < n; i++)
		for (j = 0; j < sizeof(flips); j++) {
			memcpy(copy, good, n);
			copy[i] ^= flips[j];
			if (save_decoded(copy, n))
				abort();
			s = try_open(&err);
			opened += s == WM_OK;
			odd += s != WM_OK && s != WM_BAD_INPUT;
		}
	ok(!odd, "%zu changed tables: an error or another census",
	   n * sizeof(flips));
	ok(opened && opened < n * sizeof(flips),
	   "%zu of them are another census", opened);
	for (i = 0, odd = 0; i < n; i++) {
		if (save_decoded(good, i))
			abort();
		odd += try_open(&err) != WM_BAD_INPUT;
	}
	ok(!odd, "all %zu cut tables are refused", n);
}

static void fuzz_file(const uint8_t *good, size_t n)
{
	size_t i, j, odd = 0;
	uint8_t *copy = malloc(n + 1);
	struct wm_err err;

	if (!copy)
		abort();
	for (i = 0; i < n; i++)
		for (j = 0; j < 8; j++) {
			memcpy(copy, good, n);
			copy[i] ^= (uint8_t)(1 << j);
			if (save(copy, n))
				abort();
			odd += try_open(&err) != WM_BAD_INPUT;
		}
	ok(!odd, "all %zu flipped bits of the file are noticed", n * 8);
	for (i = 0, odd = 0; i < n; i++) {
		if (save(good, i))
			abort();
		odd += try_open(&err) != WM_BAD_INPUT;
	}
	ok(!odd, "all %zu cut files are refused", n);
	memcpy(copy, good, n);
	copy[n] = 0;
	save(copy, n + 1);
	ok(try_open(&err) == WM_BAD_INPUT && strstr(err.text, path),
	   "something behind the end is refused, by name");
	free(copy);
}

static void check_versions(uint8_t *decoded, size_t n)
{
	struct wm_err err;

	decoded[5] = 7;
	save_decoded(decoded, n);
	ok(try_open(&err) == WM_OK, "a higher minor version is read");
	decoded[4] = WMC_MAJOR + 1;
	save_decoded(decoded, n);
	ok(try_open(&err) == WM_BAD_INPUT && strstr(err.text, "format 2"),
	   "another major version is refused: %s", err.text);
	decoded[4] = WMC_MAJOR;
	decoded[5] = WMC_MINOR;
	unlink(path);
	ok(try_open(&err) == WM_IO, "no file: %s", err.text);
	save((const uint8_t *)"hello, world", 12);
	ok(try_open(&err) == WM_BAD_INPUT, "a foreign file: %s", err.text);
	save((const uint8_t *)"", 0);
	ok(try_open(&err) == WM_BAD_INPUT, "an empty file: %s", err.text);
}

/* Lies that single changed bytes do not tell. */
static void check_lies(void)
{
	static const uint8_t huge[] = {
		'W',	    'M',  'C',	'B',  WMC_MAJOR, WMC_MINOR, 0,	  0,
		WMC_F_ROWS, 9,	  0x80, 0x80, 0x80,	 0x80,	    0x80, 0x80,
		0x80,	    0x80, 0x10, 0,    0, /* 2^60 rows, no columns */
	};
	uint8_t *bytes = NULL;
	struct wm_err err;
	struct wm_census_model m;
	size_t size = 0;

	save_decoded(huge, sizeof(huge));
	ok(try_open(&err) == WM_BAD_INPUT, "2^60 rows are refused: %s",
	   err.text);
	sample(&m);
	((struct wm_model_row *)m.rows.items)[1].bytes++;
	ok(!wm_model_encode(&m, &bytes, &size) && !save(bytes, size) &&
		   try_open(&err) == WM_BAD_INPUT && strstr(err.text, "add up"),
	   "rows that do not add up are refused: %s", err.text);
	free(bytes);
	wm_model_release(&m);
	sample(&m);
	((struct wm_model_section *)m.sections.items)[1].rows++;
	bytes = NULL;
	ok(!wm_model_encode(&m, &bytes, &size) && !save(bytes, size) &&
		   try_open(&err) == WM_BAD_INPUT,
	   "sections with each other's rows are refused: %s", err.text);
	free(bytes);
	wm_model_release(&m);
}

/* Change one inlined call of the sample, or leave them all out. */
static enum wm_status try_inlines(size_t row, uint64_t address, uint64_t bytes,
				  struct wm_err *err)
{
	struct wm_model_inline *in;
	uint8_t *bundle = NULL;
	enum wm_status status;
	struct wm_census_model m;
	size_t size = 0;

	sample(&m);
	in = m.inlines.items;
	if (row < m.inlines.count) {
		in[row].address = address;
		in[row].bytes = bytes;
	} else {
		m.inlines.count = 0;
	}
	if (wm_model_encode(&m, &bundle, &size) || save(bundle, size))
		abort();
	status = try_open(err);
	free(bundle);
	wm_model_release(&m);
	return status;
}

static void check_inlines(void)
{
	struct wm_bundle *b = NULL;
	struct wm_err err = { "" };

	ok(try_inlines(1, 0x1010, 0x30, &err) == WM_OK, "inlined calls nest");
	ok(try_inlines(1, 0x1010, 0x51, &err) == WM_BAD_INPUT &&
		   strstr(err.text, "nest"),
	   "one that reaches beyond another is refused: %s", err.text);
	ok(try_inlines(3, 0x1028, 0x10, &err) == WM_BAD_INPUT,
	   "two that overlap are refused: %s", err.text);
	ok(try_inlines(3, 0x1030, 0, &err) == WM_BAD_INPUT,
	   "an empty one is refused: %s", err.text);
	ok(try_inlines(5, 0x2000, UINT64_MAX, &err) == WM_BAD_INPUT,
	   "one beyond all addresses is refused: %s", err.text);
	ok(try_inlines(99, 0, 0, &err) == WM_OK &&
		   wm_bundle_open(&b, path, &err) == WM_OK &&
		   !strcmp(frames_of(b, 0x1020, 8), "main include/inline.h:1"),
	   "without the table there is the function alone");
	wm_bundle_free(b);
}

/* The example of docs/census-format.md, decoded, in hexadecimal. */
static int print_example(void)
{
	static uint8_t decoded[1 << 12];
	uint8_t *bytes = NULL;
	size_t size = 0, n, i;
	struct wm_census_model m;

	wm_model_init(&m);
	m.program = "app";
	m.link_map = "bfd";
	m.debug = WMC_DEBUG_VARIABLES | WMC_DEBUG_LINES;
	memcpy(m.build_id, "\xbe\xef", 2);
	m.build_id_size = 2;
	add_section(&m, ".bss", WMC_CLASS_BSS, 512);
	add_row(&m, "grid", 400, "a.o", 7, 0);
	add_row(&m, "blk_", 100, "a.o", 9, WMC_ROW_COMMON);
	add_row(&m, NULL, 12, NULL, 0, 0);
	add_function(&m, 0x1000, 0x20, "main", "a.o");
	add_line(&m, 0x1000, "src/a.c", 10);
	add_line(&m, 0x1008, "src/a.c", 12);
	add_line(&m, 0x1020, NULL, 0);
	add_inline(&m, 0x1008, 8, "blk_", "src/a.c", 11);
	if (wm_model_encode(&m, &bytes, &size))
		return 1;
	n = decode(bytes, size, decoded, sizeof(decoded));
	for (i = 0; i < n; i++)
		printf("%s%02x", i % 16 ? " " : i ? "\n" : "", decoded[i]);
	putchar('\n');
	free(bytes);
	wm_model_release(&m);
	return 0;
}

int main(int argc, char **argv)
{
	static uint8_t decoded[1 << 14];
	struct wm_bundle *b = NULL;
	struct wm_err err = { "" };
	struct wm_census_model m;
	uint8_t *bytes = NULL;
	size_t size = 0, n;
	int fd;

	if (argc > 1 && !strcmp(argv[1], "--example"))
		return print_example();
	tap_plan(56);
	fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	sample(&m);
	if (!ok(!wm_model_encode(&m, &bytes, &size) && !save(bytes, size),
		"a bundle is written"))
		return tap_done();
	if (ok(wm_bundle_open(&b, path, &err) == WM_OK, "and read %s",
	       err.text)) {
		check_census(b);
		check_locations(b);
		check_frames(b);
	}
	wm_bundle_free(b);
	n = decode(bytes, size, decoded, sizeof(decoded));
	ok(n > WMC_PREFIX_SIZE, "it is one .xz file of %zu bytes", n);
	fuzz_file(bytes, size);
	fuzz_decoded(decoded, n);
	check_versions(decoded, n);
	check_lies();
	check_inlines();
	free(bytes);
	wm_model_release(&m);
	unlink(path);
	return tap_done();
}
