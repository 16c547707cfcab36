/* SPDX-License-Identifier: Apache-2.0 */
/* Checks counts against the bytes that are left before memory is allocated, and
 * references before they are followed. */
#include "analyze/symbols/read_bundle.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/plain.h"
#include "analyze/lib/base/vec.h"
#include "analyze/symbols/bundle_tables.h"
#include "wm/census_format.h"
#include "wm/varint.h"

struct parse {
	struct wm_bundle *b;
	const char *path;
	struct wm_err *err;
	const uint8_t *at, *end;
	uint64_t counts[WMC_F_LIMIT];
	struct column {
		const uint8_t *at, *end;
		bool here;
	} columns[WMC_COL_LIMIT];
};

static enum wm_status bad_bundle(const struct parse *p, const char *what)
{
	return wm_err_set(p->err, WM_BAD_INPUT, "'%s': damaged bundle: %s",
			  p->path, what);
}

static enum wm_status no_memory(const struct parse *p)
{
	return wm_err_set(p->err, WM_NO_MEMORY, "'%s': out of memory", p->path);
}

static bool take_varint(struct parse *p, uint64_t *v)
{
	const uint8_t *next = wm_varint_get(p->at, p->end, v);

	if (!next)
		return false;
	p->at = next;
	return true;
}

static enum wm_status parse_prefix(struct parse *p)
{
	if (p->end - p->at < WMC_PREFIX_SIZE ||
	    memcmp(p->at, WMC_MAGIC, WMC_MAGIC_SIZE) != 0)
		return wm_err_set(p->err, WM_BAD_INPUT,
				  "'%s': not a bundle of wmcc", p->path);
	if (p->at[4] != WMC_MAJOR)
		return wm_err_set(
			p->err, WM_BAD_INPUT,
			"'%s': bundle format %d.%d, this reader knows "
			"%d.x: use the wm-analyze of the wmtools that "
			"relinked the program, or a newer one",
			p->path, p->at[4], p->at[5], WMC_MAJOR);
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
	case WMC_F_HOOKED:
	case WMC_F_HOOKLESS:
	case WMC_F_RECEIVERS:
		if (wm_varint_get(value, value + n, &v) != value + n)
			return bad_bundle(p, "bad number in the head");
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
		if (!take_varint(p, &tag))
			return bad_bundle(p, "head cut off");
		if (!tag)
			break;
		if (!take_varint(p, &n) || n > (uint64_t)(p->end - p->at))
			return bad_bundle(p, "head cut off");
		status = parse_field(p, tag, p->at, (size_t)n);
		p->at += n;
	}
	return status;
}

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

	if (!take_varint(p, &count))
		return bad_bundle(p, "list of columns cut off");
	list = p->at;
	for (i = 0; i < count; i++)
		if (!take_varint(p, &id) || !take_varint(p, &encoding) ||
		    !take_varint(p, &n) ||
		    __builtin_add_overflow(total, n, &total))
			return bad_bundle(p, "list of columns cut off");
	if (total != (uint64_t)(p->end - p->at))
		return bad_bundle(p, "columns do not fill it");
	body = p->at;
	p->at = list;
	for (i = 0; i < count; i++) {
		take_varint(p, &id);
		take_varint(p, &encoding);
		take_varint(p, &n);
		if (encoding_of(id)) {
			c = &p->columns[id];
			if (c->here || encoding != encoding_of(id))
				return bad_bundle(p,
						  "column of unknown encoding");
			c->here = true;
			c->at = body;
			c->end = body + n;
		}
		body += n;
	}
	return WM_OK;
}

/* The caller frees *@out.  The input limits @count: a value takes a byte. */
static enum wm_status decode_values(struct parse *p, enum wmc_column id,
				    size_t count, uint64_t **out)
{
	bool delta = encoding_of(id) == WMC_ENC_DELTA;
	const uint8_t *at = p->columns[id].at, *end = p->columns[id].end;
	uint64_t v, before = 0, *to;
	size_t i;

	*out = NULL;
	if (count > (size_t)(end - at))
		return bad_bundle(p, "column shorter than its table");
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
		return bad_bundle(p, "column does not fit its table");
	}
	*out = to;
	return WM_OK;
}

/* Returns @text, or a printable copy that @b owns; NULL: no memory. */
static const char *plain_string(struct wm_bundle *b, const char *text)
{
	char **more;

	if (wm_is_plain(text))
		return text;
	more = WM_MORE(b->plain, b->plain_cap, b->plain_count);
	if (!more || !(*more = wm_plain(text, strlen(text))))
		return NULL;
	b->plain_count++;
	return *more;
}

static enum wm_status parse_strings(struct parse *p)
{
	const struct column *c = &p->columns[WMC_COL_STRING];
	const char *at = (const char *)c->at, *end = (const char *)c->end;
	size_t n = 0;
	struct wm_bundle *b = p->b;

	if (p->counts[WMC_F_STRINGS] > (uint64_t)(end - at) ||
	    (at < end && end[-1]))
		return bad_bundle(p, "strings cut off");
	b->string_count = (size_t)p->counts[WMC_F_STRINGS];
	b->strings = calloc(b->string_count + 1, sizeof(*b->strings));
	if (!b->strings)
		return no_memory(p);
	while (at < end && n < b->string_count) {
		b->strings[++n] = plain_string(b, at);
		if (!b->strings[n])
			return no_memory(p);
		at += strlen(at) + 1;
	}
	if (n != b->string_count || at != end)
		return bad_bundle(p, "wrong number of strings");
	return WM_OK;
}

#define MOST_COLUMNS 7

struct table {
	const char *row; /* the name of a row in messages */
	unsigned rows; /* WMC_F_*: the number of rows */
	size_t element;
	size_t array, count; /* their offsets in struct wm_bundle */
	size_t columns;
	enum wmc_column column[MOST_COLUMNS];
	unsigned strings; /* bits of columns with numbers of strings */
	unsigned small; /* bits of columns with values below 2^32 */
	/* Sets element @to from the values of a row.  *@sum is 0 at first, and
	 * is kept between rows.  Returns false if the values contradict each
	 * other. */
	bool (*set)(const struct parse *p, void *to, const uint64_t *v,
		    uint64_t *sum);
	/* called when all elements are set; may be NULL */
	enum wm_status (*finish)(struct parse *p);
};

static bool may_be(const struct parse *p, const struct table *t,
		   const uint64_t *v)
{
	for (size_t k = 0; k < t->columns; k++)
		if ((t->strings >> k & 1 && v[k] > p->b->string_count) ||
		    (t->small >> k & 1 && v[k] > UINT32_MAX))
			return false;
	return true;
}

static enum wm_status set_all(const struct parse *p, const struct table *t,
			      uint64_t *const *value, char *array, size_t n)
{
	uint64_t v[MOST_COLUMNS], sum = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < t->columns; k++)
			v[k] = value[k][i];
		if (!may_be(p, t, v) ||
		    !t->set(p, array + i * t->element, v, &sum))
			return wm_err_set(p->err, WM_BAD_INPUT,
					  "'%s': damaged bundle: bad %s",
					  p->path, t->row);
	}
	return WM_OK;
}

static enum wm_status parse_table(struct parse *p, const struct table *t)
{
	char *to = (char *)p->b;
	size_t n = (size_t)p->counts[t->rows], k;
	void *array;
	uint64_t *value[MOST_COLUMNS] = { NULL };
	enum wm_status status = WM_OK;

	for (k = 0; k < t->columns && status == WM_OK; k++)
		status = decode_values(p, t->column[k], n, &value[k]);
	if (status == WM_OK) {
		array = calloc(n + 1, t->element);
		memcpy(to + t->array, &array, sizeof(array));
		status = array ? set_all(p, t, value, array, n) : no_memory(p);
	}
	for (k = 0; k < t->columns; k++)
		free(value[k]);
	if (status != WM_OK)
		return status;
	memcpy(to + t->count, &n, sizeof(n));
	return t->finish ? t->finish(p) : WM_OK;
}

static bool set_function(const struct parse *p, void *to, const uint64_t *v,
			 uint64_t *end)
{
	struct wm_bundle_function *f = to;

	(void)p;
	if (__builtin_add_overflow(*end, v[0], &f->address) ||
	    __builtin_add_overflow(f->address, v[1], end))
		return false;
	f->bytes = v[1];
	f->name = (uint32_t)v[2];
	f->object = (uint32_t)v[3];
	return true;
}

static bool set_line(const struct parse *p, void *to, const uint64_t *v,
		     uint64_t *at)
{
	struct wm_bundle_line *l = to;

	(void)p;
	if (__builtin_add_overflow(*at, v[0], at))
		return false;
	*l = (struct wm_bundle_line){ *at, (uint32_t)v[1], (uint32_t)v[2] };
	return true;
}

static enum wm_status nest_inlined(struct parse *p)
{
	struct wm_bundle_inlined *r = p->b->inlined;
	uint32_t outer = 0;

	for (size_t i = 0; i < p->b->inlined_count; i++) {
		while (outer && r[outer - 1].end <= r[i].address)
			outer = r[outer - 1].outer;
		if (outer && r[outer - 1].end < r[i].end)
			return bad_bundle(p, "inlined calls do not nest");
		r[i].outer = outer;
		outer = (uint32_t)i + 1;
	}
	return WM_OK;
}

static bool set_inlined(const struct parse *p, void *to, const uint64_t *v,
			uint64_t *at)
{
	struct wm_bundle_inlined *r = to;

	(void)p;
	if (__builtin_add_overflow(*at, v[0], at) || !v[1] ||
	    __builtin_add_overflow(*at, v[1], &r->end))
		return false;
	r->address = *at;
	r->name = (uint32_t)v[2];
	r->file = (uint32_t)v[3];
	r->line = (uint32_t)v[4];
	return true;
}

static bool set_row(const struct parse *p, void *to, const uint64_t *v,
		    uint64_t *sum)
{
	const char **strings = p->b->strings;
	struct wm_census_row *r = to;

	(void)sum;
	r->name = strings[v[0]];
	r->address = v[1];
	r->bytes = v[2];
	r->object = strings[v[3]];
	r->file = strings[v[4]];
	r->line = (uint32_t)v[5];
	r->common = (v[6] & WMC_ROW_COMMON) != 0;
	return true;
}

static bool set_receiver(const struct parse *p, void *to, const uint64_t *v,
			 uint64_t *sum)
{
	struct wm_bundle_receiver *r = to;
	uint64_t place = v[0] << 32 | v[1];

	(void)p;
	*r = (struct wm_bundle_receiver){ place, (uint32_t)v[2] };
	/* receivers are looked up in this order, and are unique */
	if (!v[0] || !v[2] || place <= *sum)
		return false;
	*sum = place;
	return true;
}

static bool set_hookless(const struct parse *p, void *to, const uint64_t *v,
			 uint64_t *sum)
{
	struct wm_census_hookless *h = to;

	h->name = v[0] ? p->b->strings[v[0]] : "";
	h->objects = v[1];
	h->system = (v[2] & WMC_HOOKLESS_SYSTEM) != 0;
	/* sums of these values must not overflow */
	return !__builtin_add_overflow(*sum, v[1], sum);
}

static enum wm_status finish_hookless(struct parse *p)
{
	p->b->census.hookless = p->b->hookless;
	p->b->census.hooked = p->counts[WMC_F_HOOKED];
	return WM_OK;
}

static enum wm_census_class class_of(uint64_t class)
{
	static const enum wm_census_class known[] = {
		[WMC_CLASS_DATA] = WM_CENSUS_DATA,
		[WMC_CLASS_BSS] = WM_CENSUS_BSS,
		[WMC_CLASS_TLS] = WM_CENSUS_TLS,
		[WMC_CLASS_RODATA] = WM_CENSUS_RODATA,
		[WMC_CLASS_RELRO] = WM_CENSUS_RELRO,
		[WMC_CLASS_OTHER] = WM_CENSUS_OTHER,
	};

	return class < sizeof(known) / sizeof(*known) ? known[class] :
							WM_CENSUS_OTHER;
}

static bool set_section(const struct parse *p, void *to, const uint64_t *v,
			uint64_t *sum)
{
	struct wm_census_section *s = to;

	(void)sum;
	s->name = v[0] ? p->b->strings[v[0]] : "";
	s->bytes = v[1];
	s->class = class_of(v[2]);
	s->rows = (size_t)v[3];
	s->address = v[4];
	return true;
}

static enum wm_status finish_sections(struct parse *p)
{
	const char *bad = wm_bundle_sections(p->b);

	return bad ? bad_bundle(p, bad) : WM_OK;
}

#define TO(array, count)                                                       \
	sizeof(*((struct wm_bundle *)NULL)->array),                            \
		offsetof(struct wm_bundle, array),                             \
		offsetof(struct wm_bundle, count)

/* Rows must be parsed before their sections. */
/* clang-format off */
static const struct table tables[] = {
	{ "row", WMC_F_ROWS, TO(rows, census.row_count), 7,
	  { WMC_COL_ROW_NAME, WMC_COL_ROW_ADDRESS, WMC_COL_ROW_BYTES,
	    WMC_COL_ROW_OBJECT, WMC_COL_ROW_FILE, WMC_COL_ROW_LINE,
	    WMC_COL_ROW_FLAGS },
	  .strings = 1 << 0 | 1 << 3 | 1 << 4, .small = 1 << 5,
	  .set = set_row },
	{ "section", WMC_F_SECTIONS, TO(sections, census.section_count), 5,
	  { WMC_COL_SECTION_NAME, WMC_COL_SECTION_BYTES, WMC_COL_SECTION_CLASS,
	    WMC_COL_SECTION_ROWS, WMC_COL_SECTION_ADDRESS },
	  .strings = 1 << 0, .set = set_section, .finish = finish_sections },
	{ "function", WMC_F_FUNCTIONS, TO(functions, function_count), 4,
	  { WMC_COL_FUNCTION_GAP, WMC_COL_FUNCTION_BYTES,
	    WMC_COL_FUNCTION_NAME, WMC_COL_FUNCTION_OBJECT },
	  .strings = 1 << 2 | 1 << 3, .set = set_function },
	{ "line", WMC_F_LINES, TO(lines, line_count), 3,
	  { WMC_COL_LINE_STEP, WMC_COL_LINE_FILE, WMC_COL_LINE_NUMBER },
	  .strings = 1 << 1, .small = 1 << 2, .set = set_line },
	{ "inlined call", WMC_F_INLINES, TO(inlined, inlined_count), 5,
	  { WMC_COL_INLINE_STEP, WMC_COL_INLINE_BYTES, WMC_COL_INLINE_NAME,
	    WMC_COL_INLINE_FILE, WMC_COL_INLINE_LINE },
	  .strings = 1 << 2 | 1 << 3, .small = 1 << 4, .set = set_inlined,
	  .finish = nest_inlined },
	{ "receiver", WMC_F_RECEIVERS, TO(receivers, receiver_count), 3,
	  { WMC_COL_RECEIVER_FILE, WMC_COL_RECEIVER_LINE,
	    WMC_COL_RECEIVER_NAME },
	  .strings = 1 << 0 | 1 << 2, .small = 1 << 1, .set = set_receiver },
	{ "object without hooks", WMC_F_HOOKLESS,
	  TO(hookless, census.hookless_count), 3,
	  { WMC_COL_HOOKLESS_NAME, WMC_COL_HOOKLESS_OBJECTS,
	    WMC_COL_HOOKLESS_FLAGS },
	  .strings = 1 << 0, .set = set_hookless, .finish = finish_hookless },
};
/* clang-format on */

static enum wm_status parse_bundle(struct parse *p)
{
	enum wm_status status = parse_prefix(p);

	if (status == WM_OK)
		status = parse_fields(p);
	if (status == WM_OK)
		status = parse_columns(p);
	if (status == WM_OK)
		status = parse_strings(p);
	for (size_t k = 0; k < sizeof(tables) / sizeof(*tables) && !status; k++)
		status = parse_table(p, &tables[k]);
	p->b->census.program = p->b->program ? p->b->program : "";
	p->b->census.link_map = p->b->link_map;
	p->b->census.unseen = p->b->unseen;
	p->b->census.has_lines = (p->counts[WMC_F_DEBUG] &
				  WMC_DEBUG_VARIABLES) != 0;
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
		status = parse_bundle(&p);
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
	free(b->receivers);
	free(b->hookless);
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
