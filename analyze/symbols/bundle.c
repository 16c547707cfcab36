/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every count is checked against the bytes that stand behind it before memory
 * is taken for it, and every reference before it is followed.
 */
#include "analyze/symbols/bundle.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/base/plain.h"
#include "analyze/base/vec.h"
#include "analyze/symbols/bundle_file.h"
#include "wm/census_format.h"
#include "wm/varint.h"

struct function {
	uint64_t address, bytes;
	uint32_t name, object; /* strings */
};

struct line {
	uint64_t address;
	uint32_t file; /* string; 0: unknown from here on */
	uint32_t line;
};

/* A range of an inlined call; ranges nest. */
struct inlined {
	uint64_t address, end;
	uint32_t name, file; /* strings; file and line: of the call */
	uint32_t line;
	uint32_t outer; /* what it lies in: index + 1; 0: a function */
};

struct wm_bundle {
	uint8_t *bytes; /* decoded; strings and build-id lie in it */
	const uint8_t *build_id;
	size_t build_id_size;
	char *program, *link_map, *unseen;
	const char **strings; /* by number; [0] is NULL */
	size_t string_count; /* without [0] */
	char **plain; /* of strings that were not */
	size_t plain_count, plain_cap;
	struct function *functions; /* disjoint, ascending */
	size_t function_count;
	struct line *lines; /* ascending */
	size_t line_count;
	struct inlined *inlined; /* ascending, outer ones first */
	size_t inlined_count;
	struct wm_census census;
	struct wm_census_section *sections;
	struct wm_census_row *rows;
};

struct parse {
	struct wm_bundle *b;
	const char *path;
	struct wm_err *err;
	const uint8_t *at, *end;
	uint64_t counts[WMC_F_LIMIT]; /* fields of type UINT */
	struct column {
		const uint8_t *at, *end;
		int here;
	} columns[WMC_COL_LIMIT];
};

static enum wm_status bad(const struct parse *p, const char *what)
{
	return wm_err_set(p->err, WM_BAD_INPUT, "'%s': damaged bundle: %s",
			  p->path, what);
}

static enum wm_status no_memory(const struct parse *p)
{
	return wm_err_set(p->err, WM_NO_MEMORY, "'%s': out of memory", p->path);
}

static int take(struct parse *p, uint64_t *v)
{
	const uint8_t *next = wm_varint_get(p->at, p->end, v);

	if (!next)
		return 0;
	p->at = next;
	return 1;
}

static enum wm_status parse_prefix(struct parse *p)
{
	if (p->end - p->at < WMC_PREFIX_SIZE ||
	    memcmp(p->at, WMC_MAGIC, WMC_MAGIC_SIZE))
		return wm_err_set(p->err, WM_BAD_INPUT,
				  "'%s': not a bundle of wmcc", p->path);
	if (p->at[4] != WMC_MAJOR)
		return wm_err_set(p->err, WM_BAD_INPUT,
				  "'%s': bundle format %d, this program reads "
				  "format %d: use the wm-analyze that came "
				  "with the wmcc that relinked the program",
				  p->path, p->at[4], WMC_MAJOR);
	p->at += WMC_PREFIX_SIZE;
	return WM_OK;
}

static enum wm_status parse_field(struct parse *p, uint64_t tag,
				  const uint8_t *value, size_t n)
{
	char **text = NULL;
	uint64_t v = 0;

	switch (tag) {
	case WMC_F_PROGRAM:
		text = &p->b->program;
		break;
	case WMC_F_LINK_MAP:
		text = &p->b->link_map;
		break;
	case WMC_F_UNSEEN:
		text = &p->b->unseen;
		break;
	case WMC_F_BUILD_ID:
		p->b->build_id = value;
		p->b->build_id_size = n;
		break;
	case WMC_F_DEBUG:
	case WMC_F_STRINGS:
	case WMC_F_SECTIONS:
	case WMC_F_ROWS:
	case WMC_F_FUNCTIONS:
	case WMC_F_LINES:
	case WMC_F_INLINES:
		if (wm_varint_get(value, value + n, &v) != value + n)
			return bad(p, "bad number in the head");
		p->counts[tag] = v;
		break;
	}
	if (text) {
		free(*text);
		*text = wm_plain((const char *)value, n);
		if (!*text)
			return no_memory(p);
	}
	return WM_OK;
}

static enum wm_status parse_fields(struct parse *p)
{
	enum wm_status status = WM_OK;
	uint64_t tag, n;

	while (status == WM_OK) {
		if (!take(p, &tag))
			return bad(p, "head cut off");
		if (!tag)
			break;
		if (!take(p, &n) || n > (uint64_t)(p->end - p->at))
			return bad(p, "head cut off");
		status = parse_field(p, tag, p->at, (size_t)n);
		p->at += n;
	}
	return status;
}

/* The encoding that a column that we know must have; 0: not known. */
static uint64_t encoding_of(uint64_t column)
{
	switch (column) {
#define WMC_X(name, number, table, encoding)                                   \
	case WMC_COL_##name:                                                   \
		return WMC_ENC_##encoding;
		WMC_COLUMN_LIST(WMC_X)
#undef WMC_X
	}
	return 0;
}

static enum wm_status parse_columns(struct parse *p)
{
	uint64_t count, i, id, encoding, n, total = 0;
	const uint8_t *list, *body;
	struct column *c;

	if (!take(p, &count))
		return bad(p, "list of columns cut off");
	list = p->at;
	for (i = 0; i < count; i++)
		if (!take(p, &id) || !take(p, &encoding) || !take(p, &n) ||
		    __builtin_add_overflow(total, n, &total))
			return bad(p, "list of columns cut off");
	if (total != (uint64_t)(p->end - p->at))
		return bad(p, "columns do not fill it");
	body = p->at;
	p->at = list;
	for (i = 0; i < count; i++) {
		take(p, &id);
		take(p, &encoding);
		take(p, &n);
		if (encoding_of(id)) {
			c = &p->columns[id];
			if (c->here || encoding != encoding_of(id))
				return bad(p, "column of unknown encoding");
			c->here = 1;
			c->at = body;
			c->end = body + n;
		}
		body += n;
	}
	return WM_OK;
}

/*
 * Decode a column of @count values into memory that the caller frees.  A
 * value takes a byte at least, so that @count is bounded by the input.
 */
static enum wm_status values(struct parse *p, enum wmc_column id, size_t count,
			     uint64_t **out)
{
	int delta = encoding_of(id) == WMC_ENC_DELTA;
	const uint8_t *at = p->columns[id].at, *end = p->columns[id].end;
	uint64_t v, before = 0, *to;
	size_t i;

	*out = NULL;
	if (count > (size_t)(end - at))
		return bad(p, "column shorter than its table");
	to = malloc((count + 1) * sizeof(*to));
	if (!to)
		return no_memory(p);
	for (i = 0; i < count; i++) {
		at = wm_varint_get(at, end, &v);
		if (!at)
			break;
		if (delta)
			v = before += (uint64_t)wm_unzigzag(v);
		to[i] = v;
	}
	if (i < count || at != end) {
		free(to);
		return bad(p, "column does not fit its table");
	}
	*out = to;
	return WM_OK;
}

/* Decode several columns; all of @out is to be freed, whatever happens. */
static enum wm_status table(struct parse *p, const enum wmc_column *ids,
			    size_t columns, size_t count, uint64_t **out)
{
	enum wm_status status = WM_OK;
	size_t i;

	for (i = 0; i < columns && status == WM_OK; i++)
		status = values(p, ids[i], count, &out[i]);
	return status;
}

static void free_table(uint64_t **out, size_t columns)
{
	while (columns)
		free(out[--columns]);
}

/* A string of the bundle that can be shown; NULL: no memory. */
static const char *plain(struct wm_bundle *b, const char *text)
{
	char **more;

	if (wm_is_plain(text))
		return text;
	more = wm_grow(b->plain, &b->plain_cap, b->plain_count + 1,
		       sizeof(*more));
	if (!more)
		return NULL;
	b->plain = more;
	more[b->plain_count] = wm_plain(text, strlen(text));
	return more[b->plain_count] ? more[b->plain_count++] : NULL;
}

static enum wm_status parse_strings(struct parse *p)
{
	const struct column *c = &p->columns[WMC_COL_STRING];
	const char *at = (const char *)c->at, *end = (const char *)c->end;
	size_t n = 0;
	struct wm_bundle *b = p->b;

	if (p->counts[WMC_F_STRINGS] > (uint64_t)(end - at) ||
	    (at < end && end[-1]))
		return bad(p, "strings cut off");
	b->string_count = (size_t)p->counts[WMC_F_STRINGS];
	b->strings = calloc(b->string_count + 1, sizeof(*b->strings));
	if (!b->strings)
		return no_memory(p);
	while (at < end && n < b->string_count) {
		b->strings[++n] = plain(b, at);
		if (!b->strings[n])
			return no_memory(p);
		at += strlen(at) + 1;
	}
	if (n != b->string_count || at != end)
		return bad(p, "wrong number of strings");
	return WM_OK;
}

static int is_string(const struct wm_bundle *b, uint64_t number)
{
	return number <= b->string_count;
}

static enum wm_status parse_functions(struct parse *p)
{
	static const enum wmc_column ids[] = {
		WMC_COL_FUNCTION_GAP, WMC_COL_FUNCTION_BYTES,
		WMC_COL_FUNCTION_NAME, WMC_COL_FUNCTION_OBJECT,
	};
	uint64_t *v[4] = { NULL }, end = 0, start;
	size_t n = (size_t)p->counts[WMC_F_FUNCTIONS], i;
	struct wm_bundle *b = p->b;
	enum wm_status status;

	status = table(p, ids, 4, n, v);
	if (status != WM_OK)
		goto out;
	b->functions = calloc(n + 1, sizeof(*b->functions));
	if (!b->functions) {
		status = no_memory(p);
		goto out;
	}
	for (i = 0; i < n; i++) {
		if (__builtin_add_overflow(end, v[0][i], &start) ||
		    __builtin_add_overflow(start, v[1][i], &end) ||
		    !is_string(b, v[2][i]) || !is_string(b, v[3][i])) {
			status = bad(p, "bad function");
			goto out;
		}
		b->functions[i].address = start;
		b->functions[i].bytes = v[1][i];
		b->functions[i].name = (uint32_t)v[2][i];
		b->functions[i].object = (uint32_t)v[3][i];
	}
	b->function_count = n;
out:
	free_table(v, 4);
	return status;
}

static enum wm_status parse_lines(struct parse *p)
{
	static const enum wmc_column ids[] = {
		WMC_COL_LINE_STEP, WMC_COL_LINE_FILE, WMC_COL_LINE_NUMBER,
	};
	size_t n = (size_t)p->counts[WMC_F_LINES], i;
	uint64_t *v[3] = { NULL }, at = 0;
	struct wm_bundle *b = p->b;
	enum wm_status status;

	status = table(p, ids, 3, n, v);
	if (status != WM_OK)
		goto out;
	b->lines = calloc(n + 1, sizeof(*b->lines));
	if (!b->lines) {
		status = no_memory(p);
		goto out;
	}
	for (i = 0; i < n; i++) {
		if (__builtin_add_overflow(at, v[0][i], &at) ||
		    !is_string(b, v[1][i]) || v[2][i] > UINT32_MAX) {
			status = bad(p, "bad line");
			goto out;
		}
		b->lines[i].address = at;
		b->lines[i].file = (uint32_t)v[1][i];
		b->lines[i].line = (uint32_t)v[2][i];
	}
	b->line_count = n;
out:
	free_table(v, 3);
	return status;
}

/* Find what each range lies in; 0 when ranges do not nest. */
static int nest(struct inlined *r, size_t count)
{
	uint32_t outer = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		while (outer && r[outer - 1].end <= r[i].address)
			outer = r[outer - 1].outer;
		if (outer && r[outer - 1].end < r[i].end)
			return 0;
		r[i].outer = outer;
		outer = (uint32_t)i + 1;
	}
	return 1;
}

static enum wm_status parse_inlines(struct parse *p)
{
	static const enum wmc_column ids[] = {
		WMC_COL_INLINE_STEP, WMC_COL_INLINE_BYTES, WMC_COL_INLINE_NAME,
		WMC_COL_INLINE_FILE, WMC_COL_INLINE_LINE,
	};
	size_t n = (size_t)p->counts[WMC_F_INLINES], i;
	uint64_t *v[5] = { NULL }, at = 0;
	struct wm_bundle *b = p->b;
	enum wm_status status;

	status = table(p, ids, 5, n, v);
	if (status != WM_OK)
		goto out;
	b->inlined = calloc(n + 1, sizeof(*b->inlined));
	if (!b->inlined) {
		status = no_memory(p);
		goto out;
	}
	for (i = 0; i < n; i++) {
		struct inlined *r = &b->inlined[i];

		if (__builtin_add_overflow(at, v[0][i], &at) || !v[1][i] ||
		    __builtin_add_overflow(at, v[1][i], &r->end) ||
		    !is_string(b, v[2][i]) || !is_string(b, v[3][i]) ||
		    v[4][i] > UINT32_MAX) {
			status = bad(p, "bad inlined call");
			goto out;
		}
		r->address = at;
		r->name = (uint32_t)v[2][i];
		r->file = (uint32_t)v[3][i];
		r->line = (uint32_t)v[4][i];
	}
	b->inlined_count = n;
	if (!nest(b->inlined, n))
		status = bad(p, "inlined calls do not nest");
out:
	free_table(v, 5);
	return status;
}

static enum wm_status parse_rows(struct parse *p)
{
	static const enum wmc_column ids[] = {
		WMC_COL_ROW_NAME, WMC_COL_ROW_ADDRESS, WMC_COL_ROW_BYTES,
		WMC_COL_ROW_OBJECT, WMC_COL_ROW_FILE, WMC_COL_ROW_LINE,
		WMC_COL_ROW_FLAGS,
	};
	size_t n = (size_t)p->counts[WMC_F_ROWS], i;
	uint64_t *v[7] = { NULL };
	struct wm_bundle *b = p->b;
	enum wm_status status;

	status = table(p, ids, 7, n, v);
	if (status != WM_OK)
		goto out;
	b->rows = calloc(n + 1, sizeof(*b->rows));
	if (!b->rows) {
		status = no_memory(p);
		goto out;
	}
	for (i = 0; i < n; i++) {
		struct wm_census_row *r = &b->rows[i];

		if (!is_string(b, v[0][i]) || !is_string(b, v[3][i]) ||
		    !is_string(b, v[4][i]) || v[5][i] > UINT32_MAX) {
			status = bad(p, "bad row");
			goto out;
		}
		r->name = b->strings[v[0][i]];
		r->address = v[1][i];
		r->bytes = v[2][i];
		r->object = b->strings[v[3][i]];
		r->file = b->strings[v[4][i]];
		r->line = (uint32_t)v[5][i];
		r->common = (v[6][i] & WMC_ROW_COMMON) != 0;
	}
	b->census.rows = b->rows;
	b->census.row_count = n;
out:
	free_table(v, 7);
	return status;
}

static enum wm_census_class class_of(uint64_t class)
{
	switch (class) {
	case WMC_CLASS_DATA:
		return WM_CENSUS_DATA;
	case WMC_CLASS_BSS:
		return WM_CENSUS_BSS;
	case WMC_CLASS_TLS:
		return WM_CENSUS_TLS;
	case WMC_CLASS_RODATA:
		return WM_CENSUS_RODATA;
	case WMC_CLASS_RELRO:
		return WM_CENSUS_RELRO;
	default:
		return WM_CENSUS_OTHER;
	}
}

/* Bytes descending; then by address, so that the order is always the same. */
static int compare_rows(const void *pa, const void *pb)
{
	const struct wm_census_row *a = pa, *b = pb;

	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (!a->object || !b->object)
		return !a->object - !b->object;
	return strcmp(a->object, b->object);
}

/* Rows of section @s from @at on; they must add up to the section. */
static enum wm_status take_rows(struct parse *p, struct wm_census_section *s,
				uint64_t at, uint64_t count)
{
	struct wm_census_row *r = p->b->rows;
	uint64_t sum = 0, i;

	if (count > p->b->census.row_count - at)
		return bad(p, "sections claim more rows than there are");
	for (i = at; i < at + count; i++) {
		r[i].section = s->name;
		if (__builtin_add_overflow(sum, r[i].bytes, &sum))
			return bad(p, "rows do not add up to their section");
	}
	if (sum != s->bytes)
		return bad(p, "rows do not add up to their section");
	s->first_row = (size_t)at;
	s->rows = (size_t)count;
	if (count)
		qsort(r + at, (size_t)count, sizeof(*r), compare_rows);
	return WM_OK;
}

static enum wm_status add_totals(struct parse *p)
{
	struct wm_census *c = &p->b->census;
	uint64_t *const totals[] = {
		[WM_CENSUS_DATA] = &c->data,
		[WM_CENSUS_BSS] = &c->bss,
		[WM_CENSUS_TLS] = &c->tls,
		[WM_CENSUS_RODATA] = &c->rodata,
		[WM_CENSUS_RELRO] = &c->relro,
		[WM_CENSUS_OTHER] = &c->other,
	};
	uint64_t sum = 0, *to;
	size_t i;

	for (i = 0; i < c->section_count; i++) {
		to = totals[c->sections[i].class];
		/* no part can overflow when the sum of all does not */
		if (__builtin_add_overflow(sum, c->sections[i].bytes, &sum))
			return bad(p, "sections too large");
		*to += c->sections[i].bytes;
	}
	c->static_bytes = c->data + c->bss + c->tls;
	return WM_OK;
}

static enum wm_status parse_sections(struct parse *p)
{
	static const enum wmc_column ids[] = {
		WMC_COL_SECTION_NAME, WMC_COL_SECTION_BYTES,
		WMC_COL_SECTION_CLASS, WMC_COL_SECTION_ROWS,
		WMC_COL_SECTION_ADDRESS,
	};
	size_t n = (size_t)p->counts[WMC_F_SECTIONS], i;
	uint64_t *v[5] = { NULL }, at = 0;
	struct wm_bundle *b = p->b;
	enum wm_status status;

	status = table(p, ids, 5, n, v);
	if (status != WM_OK)
		goto out;
	b->sections = calloc(n + 1, sizeof(*b->sections));
	if (!b->sections) {
		status = no_memory(p);
		goto out;
	}
	for (i = 0; i < n && status == WM_OK; i++) {
		struct wm_census_section *s = &b->sections[i];

		if (!is_string(b, v[0][i])) {
			status = bad(p, "bad section");
			goto out;
		}
		s->name = v[0][i] ? b->strings[v[0][i]] : "";
		s->bytes = v[1][i];
		s->class = class_of(v[2][i]);
		s->address = v[4][i];
		status = take_rows(p, s, at, v[3][i]);
		at += v[3][i];
	}
	if (status == WM_OK && at != b->census.row_count)
		status = bad(p, "rows without a section");
	b->census.sections = b->sections;
	b->census.section_count = n;
	if (status == WM_OK)
		status = add_totals(p);
out:
	free_table(v, 5);
	return status;
}

static enum wm_status parse(struct parse *p)
{
	enum wm_status status = parse_prefix(p);

	if (status == WM_OK)
		status = parse_fields(p);
	if (status == WM_OK)
		status = parse_columns(p);
	if (status == WM_OK)
		status = parse_strings(p);
	if (status == WM_OK)
		status = parse_rows(p);
	if (status == WM_OK)
		status = parse_sections(p);
	if (status == WM_OK)
		status = parse_functions(p);
	if (status == WM_OK)
		status = parse_lines(p);
	if (status == WM_OK)
		status = parse_inlines(p);
	p->b->census.program = p->b->program ? p->b->program : "";
	p->b->census.link_map = p->b->link_map;
	p->b->census.unseen = p->b->unseen;
	p->b->census.has_lines =
		(p->counts[WMC_F_DEBUG] & WMC_DEBUG_VARIABLES) != 0;
	return status;
}

enum wm_status wm_bundle_open(struct wm_bundle **bundle, const char *path,
			      struct wm_err *err)
{
	struct wm_bundle *b = calloc(1, sizeof(*b));
	struct parse p = { .b = b, .path = path, .err = err };
	enum wm_status status;
	size_t size;

	*bundle = NULL;
	if (!b)
		return no_memory(&p);
	status = wm_bundle_load(path, &b->bytes, &size, err);
	if (status == WM_OK) {
		p.at = b->bytes;
		p.end = b->bytes + size;
		status = parse(&p);
	}
	if (status != WM_OK) {
		wm_bundle_free(b);
		return status;
	}
	*bundle = b;
	return WM_OK;
}

void wm_bundle_free(struct wm_bundle *b)
{
	if (!b)
		return;
	free(b->bytes);
	while (b->plain_count)
		free(b->plain[--b->plain_count]);
	free(b->plain);
	free(b->program);
	free(b->link_map);
	free(b->unseen);
	free(b->strings);
	free(b->functions);
	free(b->lines);
	free(b->inlined);
	free(b->sections);
	free(b->rows);
	free(b);
}

const uint8_t *wm_bundle_build_id(const struct wm_bundle *b, size_t *size)
{
	*size = b->build_id_size;
	return b->build_id;
}

const struct wm_census *wm_bundle_census(const struct wm_bundle *b)
{
	return &b->census;
}

/* The last function that starts at or before @address; NULL: none. */
static const struct function *function_at(const struct wm_bundle *b,
					  uint64_t address)
{
	const struct function *f = b->functions;
	size_t lo = 0, hi = b->function_count, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (f[mid].address <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || address - f[lo - 1].address >= f[lo - 1].bytes)
		return NULL;
	return &f[lo - 1];
}

static const struct line *line_at(const struct wm_bundle *b, uint64_t address)
{
	const struct line *l = b->lines;
	size_t lo = 0, hi = b->line_count, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (l[mid].address <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && l[lo - 1].file ? &l[lo - 1] : NULL;
}

int wm_bundle_find(const struct wm_bundle *b, uint64_t address,
		   struct wm_place *place)
{
	const struct function *f = function_at(b, address);
	const struct line *l = line_at(b, address);

	memset(place, 0, sizeof(*place));
	if (f) {
		place->function = b->strings[f->name];
		place->object = b->strings[f->object];
	}
	if (l) {
		place->file = b->strings[l->file];
		place->line = l->line;
	}
	return f || l;
}

/* The innermost range that holds @address: index + 1; 0: none. */
static uint32_t inlined_at(const struct wm_bundle *b, uint64_t address)
{
	const struct inlined *r = b->inlined;
	size_t lo = 0, hi = b->inlined_count, mid;
	uint32_t at;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (r[mid].address <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (at = (uint32_t)lo; at && r[at - 1].end <= address;)
		at = r[at - 1].outer;
	return at;
}

size_t wm_bundle_frames(const struct wm_bundle *b, uint64_t address,
			struct wm_place *places, size_t room)
{
	const struct inlined *r;
	size_t n = 0, skip = 0;
	struct wm_place here;
	uint32_t at, first = inlined_at(b, address);

	if (!room || !wm_bundle_find(b, address, &here))
		return 0;
	for (at = first; at; at = b->inlined[at - 1].outer)
		n++;
	if (n + 1 > room)
		skip = n + 1 - room;
	n = 0;
	for (at = first; at; at = r->outer) {
		struct wm_place inner = here;

		r = &b->inlined[at - 1];
		inner.function = b->strings[r->name];
		here.file = b->strings[r->file];
		here.line = r->file ? r->line : 0;
		if (skip)
			skip--;
		else
			places[n++] = inner;
	}
	places[n++] = here;
	return n;
}
