/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/census/linkmap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "wmcc/base/file.h"

/* Walks over lines, and ends each line with a zero. */
struct cursor {
	char *next;
	char *end;
};

static char *next_line(struct cursor *c)
{
	char *line = c->next, *nl;

	if (line >= c->end)
		return NULL;
	nl = memchr(line, '\n', (size_t)(c->end - line));
	if (!nl)
		nl = c->end; /* this byte is the zero behind the text */
	*nl = '\0';
	c->next = nl + 1;
	if (nl > line && nl[-1] == '\r')
		nl[-1] = '\0';
	return line;
}

static char *skip_blanks(char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

static char *skip_word(char *p)
{
	while (*p && *p != ' ' && *p != '\t')
		p++;
	return p;
}

static void trim_end(char *p)
{
	size_t n = strlen(p);

	while (n && (p[n - 1] == ' ' || p[n - 1] == '\t'))
		p[--n] = '\0';
}

/* Reads a number in @base, which a blank or the end of the line must follow. */
static bool take_number(char **p, int base, uint64_t *v)
{
	char *end;

	if (base == 16 && **p == '-')
		return false;
	errno = 0;
	*v = strtoull(*p, &end, base);
	if (end == *p || errno || (*end && *end != ' ' && *end != '\t'))
		return false;
	*p = skip_blanks(end);
	return true;
}

static bool take_hex(char **p, uint64_t *v)
{
	return (*p)[0] == '0' && (*p)[1] == 'x' && take_number(p, 16, v);
}

/* Returns NULL, and leaves @array, without memory. */
static void *more(void *array, size_t count, size_t *capacity, size_t size)
{
	size_t n = 2 * *capacity + 64;

	if (count < *capacity)
		return array;
	array = realloc(array, n * size);
	if (array)
		*capacity = n;
	return array;
}

static int add_piece(struct wm_linkmap *map, const char *section,
		     const char *object, uint64_t address, uint64_t bytes,
		     bool common)
{
	struct wm_map_piece *p;

	if (!bytes || !section)
		return 0;
	p = more(map->pieces, map->piece_count, &map->piece_capacity,
		 sizeof(*p));
	if (!p)
		return -1;
	map->pieces = p;
	p[map->piece_count++] = (struct wm_map_piece){
		section, object && *object ? object : NULL, address, bytes,
		common
	};
	return 0;
}

static int add_common(struct wm_linkmap *map, const char *name,
		      const char *object)
{
	struct wm_map_common *c = more(map->commons, map->common_count,
				       &map->common_capacity, sizeof(*c));

	if (!c)
		return -1;
	map->commons = c;
	c[map->common_count++] = (struct wm_map_common){ name, object };
	return 0;
}

/*
 * bfd and gold list COMMON symbols first:
 *   Common symbol       size              file
 *
 *   name                0x190             a.o
 * A name that is too long for its column has a line of its own.
 */
static int read_commons(struct wm_linkmap *map, struct cursor *c)
{
	char *line, *name = NULL, *p;
	uint64_t bytes;
	bool seen = false;

	while ((line = next_line(c))) {
		if (!*line) {
			if (seen)
				break;
			continue;
		}
		seen = true;
		p = line;
		if (*p != ' ') {
			name = p;
			p = skip_word(p);
			if (*p)
				*p++ = '\0';
		}
		p = skip_blanks(p);
		if (!*p)
			continue;
		if (!name || !take_hex(&p, &bytes) || !*p)
			break;
		trim_end(p);
		if (add_common(map, name, p) < 0)
			return -1;
		name = NULL;
	}
	return 0;
}

/*
 * bfd and gold, after "memory map":
 *   .text           0x0000000000401100    0x770ef
 *    .text          0x0000000000401100       0x2b a.o
 *    .text.unlikely
 *                   0x0000000000401130        0xf libc.a(assert.o)
 *                   0x0000000000401100                main
 *    *fill*         0x0000000000401140        0x1
 *    COMMON         0x00000000004abbe0      0x190 a.o
 *    ** common      0x00000000004acbe0      0x1a8
 * A name at the margin is an output section, a name after a blank an input
 * section.  The numbers of a long name are on the next line.
 */
static int read_gnu(struct wm_linkmap *map, struct cursor *c)
{
	char *line, *name = NULL, *p;
	const char *section = NULL;
	uint64_t address, bytes;
	bool input = false;

	while ((line = next_line(c))) {
		p = line;
		if (*p && *p != ' ') {
			section = name = p;
			input = false;
		} else if (p[0] == ' ' && p[1] && p[1] != ' ') {
			name = ++p;
			input = true;
			if (!strncmp(p, "** ", 3)) /* gold's own data */
				p += 3;
		} else if (!name) {
			continue; /* a symbol, an assignment */
		}
		if (p != line || *p != ' ') {
			p = skip_word(p);
			if (*p)
				*p++ = '\0';
		}
		p = skip_blanks(p);
		if (!*p)
			continue; /* the numbers are on the next line */
		if (input && take_hex(&p, &address) && take_hex(&p, &bytes)) {
			bool common = !strcmp(name, "COMMON") ||
				      !strcmp(name, "** common");

			trim_end(p);
			if ((*p || common) &&
			    add_piece(map, section, p, address, bytes, common) <
				    0)
				return -1;
		}
		name = NULL;
	}
	return 0;
}

/* Returns the place where `file:(section)` is split, or NULL. */
static char *last_colon(char *p)
{
	char *found = NULL;

	while ((p = strstr(p, ":(")))
		found = p++;
	return found;
}

/* lld has VMA, LMA, size and alignment in hexadecimal; mold has VMA in
 * hexadecimal, size and alignment in decimal.  An output section follows after
 * one blank, `file:(section)` after nine, a symbol after seventeen. */
static int read_table(struct wm_linkmap *map, struct cursor *c)
{
	bool mold = map->kind == WM_MAP_MOLD;
	const char *section = NULL;
	char *line, *p, *colon;
	uint64_t address, bytes, ignored;
	ptrdiff_t indent;

	while ((line = next_line(c))) {
		p = skip_blanks(line);
		if (!take_number(&p, 16, &address) ||
		    (!mold && !take_number(&p, 16, &ignored)) ||
		    !take_number(&p, mold ? 10 : 16, &bytes))
			continue;
		p = skip_word(p);
		indent = skip_blanks(p) - p;
		p += indent;
		if (indent == 1) {
			if (!strstr(p, " = ")) /* from a linker script */
				section = p;
		} else if (indent == 9) {
			colon = last_colon(p);
			if (!colon)
				continue;
			*colon = '\0';
			if (add_piece(map, section, p, address, bytes,
				      !strcmp(colon + 2, "COMMON)") ||
					      !strcmp(colon + 2, ".common)")) <
			    0)
				return -1;
		}
	}
	return 0;
}

/* lld has `VMA LMA Size Align Out In Symbol`; mold has no LMA. */
static enum wm_linkmap_kind table_kind(char *line)
{
	static const char *const words[] = {
		"VMA", "LMA", "Size", "Align", "Out", "In", "Symbol",
	};
	enum wm_linkmap_kind kind = WM_MAP_LLD;
	char *p = line;
	size_t i, n;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		p = skip_blanks(p);
		n = strlen(words[i]);
		if (!strncmp(p, words[i], n))
			p += n;
		else if (i == 1)
			kind = WM_MAP_MOLD;
		else
			return WM_MAP_NONE;
	}
	return *skip_blanks(p) ? WM_MAP_NONE : kind;
}

static int parse_map(struct wm_linkmap *map, struct cursor *c)
{
	char *line;
	bool first = true;

	while ((line = next_line(c))) {
		if (first) {
			map->kind = table_kind(line);
			if (map->kind != WM_MAP_NONE)
				return read_table(map, c);
			first = false;
		}
		if (!strncmp(line, "Common symbol ", 14)) {
			if (read_commons(map, c) < 0)
				return -1;
		} else if (!strcmp(line, "Linker script and memory map")) {
			map->kind = WM_MAP_BFD;
			return read_gnu(map, c);
		} else if (!strcmp(line, "Memory map")) {
			map->kind = WM_MAP_GOLD;
			return read_gnu(map, c);
		}
	}
	return 0;
}

int wm_linkmap_parse(struct wm_linkmap *map, char *text, size_t size)
{
	char *room = realloc(text, size + 1);
	struct cursor c;

	memset(map, 0, sizeof(*map));
	if (!room) {
		free(text);
		return -1;
	}
	map->text = room;
	map->text[size] = '\0';
	map->size = size;
	c.next = map->text;
	c.end = map->text + size;
	if (parse_map(map, &c) < 0) {
		wm_linkmap_release(map);
		errno = ENOMEM;
		return -1;
	}
	return 0;
}

int wm_linkmap_read(struct wm_linkmap *map, const char *path)
{
	size_t size;
	char *text = wm_file_load(path, SIZE_MAX, &size);

	memset(map, 0, sizeof(*map));
	return text ? wm_linkmap_parse(map, text, size) : -1;
}

void wm_linkmap_release(struct wm_linkmap *map)
{
	free(map->pieces);
	free(map->commons);
	free(map->text);
	memset(map, 0, sizeof(*map));
}

const char *wm_linkmap_kind_name(enum wm_linkmap_kind kind)
{
	static const char *const names[] = {
		[WM_MAP_NONE] = NULL,	[WM_MAP_BFD] = "bfd",
		[WM_MAP_GOLD] = "gold", [WM_MAP_LLD] = "lld",
		[WM_MAP_MOLD] = "mold",
	};

	return names[kind];
}
