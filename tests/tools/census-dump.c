/* SPDX-License-Identifier: Apache-2.0 */
/*
 * census-dump FILE rows|sections|find ADDRESS...|frames ADDRESS...: what the
 * reader makes of a bundle, one line each, fields separated by tabs, `-` for
 * none.  frames ends each address with an empty line.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/symbols/read_bundle.h"

static const char *const classes[] = {
	"data", "bss", "tls", "rodata", "relro", "other",
};

static const char *text(const char *s)
{
	return s ? s : "-";
}

static void dump_sections(const struct wm_census *c)
{
	size_t i;

	for (i = 0; i < c->section_count; i++)
		printf("%s\t%s\t%" PRIu64 "\t%zu\n", c->sections[i].name,
		       classes[c->sections[i].class], c->sections[i].bytes,
		       c->sections[i].rows);
}

static void dump_rows(const struct wm_census *c)
{
	const struct wm_census_row *r;
	size_t i;

	for (i = 0; i < c->row_count; i++) {
		r = &c->rows[i];
		printf("%s\t%s\t%" PRIx64 "\t%" PRIu64 "\t%s\t%s\t%u\t%s\n",
		       r->section, text(r->name), r->address, r->bytes,
		       text(r->object), text(r->file), r->line,
		       r->common ? "common" : "-");
	}
}

static void find(const struct wm_bundle *b, const char *address)
{
	struct wm_location p;

	if (!wm_bundle_find(b, strtoull(address, NULL, 16), &p))
		puts("-");
	else
		printf("%s\t%s\t%u\t%s\n", text(p.function), text(p.file),
		       p.line, text(p.object));
}

static void frames(const struct wm_bundle *b, const char *address)
{
	struct wm_location p[64];
	size_t n = wm_bundle_frames(b, strtoull(address, NULL, 16), p, 64), i;

	for (i = 0; i < n; i++)
		printf("%s\t%s\t%u\n", text(p[i].function), text(p[i].file),
		       p[i].line);
	putchar('\n');
}

int main(int argc, char **argv)
{
	const struct wm_census *c;
	struct wm_bundle *b;
	struct wm_err err;
	int i;

	if (argc < 3)
		return 2;
	if (wm_bundle_open(&b, argv[1], &err) != WM_OK) {
		fprintf(stderr, "census-dump: %s\n", err.text);
		return 3;
	}
	c = wm_bundle_census(b);
	if (!strcmp(argv[2], "sections"))
		dump_sections(c);
	else if (!strcmp(argv[2], "rows"))
		dump_rows(c);
	else if (!strcmp(argv[2], "find"))
		for (i = 3; i < argc; i++)
			find(b, argv[i]);
	else if (!strcmp(argv[2], "frames"))
		for (i = 3; i < argc; i++)
			frames(b, argv[i]);
	wm_bundle_free(b);
	return 0;
}
