/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes the model as bytes (docs/census-format.md, sections 2 to 4). */
#include "wmcc/census/census_model.h"

#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "wm/census_format.h"
#include "wm/varint.h"
#include "wm/version.h"

/* Higher presets take more time than the saved bytes are worth. */
#define XZ_PRESET 1

struct buf {
	uint8_t *data;
	size_t size, capacity;
	bool failed;
};

static uint8_t *make_room(struct buf *b, size_t n)
{
	if (b->failed)
		return NULL;
	if (!b->data || b->capacity - b->size < n) {
		size_t want = 2 * b->capacity + n + 4096;
		uint8_t *data = realloc(b->data, want);

		if (!data) {
			b->failed = true;
			return NULL;
		}
		b->data = data;
		b->capacity = want;
	}
	return b->data + b->size;
}

static void put_bytes(struct buf *b, const void *p, size_t n)
{
	uint8_t *to = make_room(b, n);

	if (!to || !n)
		return;
	memcpy(to, p, n);
	b->size += n;
}

static void put_varint(struct buf *b, uint64_t v)
{
	uint8_t *to = make_room(b, WM_VARINT_MAX);

	if (to)
		b->size = (size_t)(wm_varint_put(to, v) - b->data);
}

static void put_delta(struct buf *b, uint64_t *before, uint64_t v)
{
	put_varint(b, wm_zigzag((int64_t)(v - *before)));
	*before = v;
}

struct columns {
	struct buf list, body; /* the list of columns, and their bytes */
	uint64_t count;
	size_t start; /* of the column being written */
};

static void end_column(struct columns *c, enum wmc_column id,
		       enum wmc_encoding encoding)
{
	put_varint(&c->list, id);
	put_varint(&c->list, encoding);
	put_varint(&c->list, c->body.size - c->start);
	c->start = c->body.size;
	c->count++;
}

#define MEMBER(type, name)                                                     \
	offsetof(struct wm_model_##type, name),                                \
		sizeof(((struct wm_model_##type *)0)->name)

/* Adds column @id: a member, of four or eight bytes, of every item. */
static void put_column(struct columns *c, enum wmc_column id,
		       enum wmc_encoding encoding, const struct wm_vec *vec,
		       size_t offset, size_t size)
{
	const char *item = vec->items;
	uint64_t v, before = 0;
	uint32_t v32;
	size_t i;

	for (i = 0; i < vec->count; i++, item += vec->item) {
		if (size == sizeof(v32)) {
			memcpy(&v32, item + offset, sizeof(v32));
			v = v32;
		} else {
			memcpy(&v, item + offset, sizeof(v));
		}
		if (encoding == WMC_ENC_DELTA)
			put_delta(&c->body, &before, v);
		else
			put_varint(&c->body, v);
	}
	end_column(c, id, encoding);
}

#define DELTAS(c, id, vec, type, name)                                         \
	put_column(c, WMC_COL_##id, WMC_ENC_DELTA, vec, MEMBER(type, name))
#define VARINTS(c, id, vec, type, name)                                        \
	put_column(c, WMC_COL_##id, WMC_ENC_VARINT, vec, MEMBER(type, name))

static void put_functions(struct columns *c, const struct wm_vec *v)
{
	const struct wm_model_function *f = v->items;
	uint64_t end = 0;
	size_t i;

	for (i = 0; i < v->count; i++) {
		put_varint(&c->body, f[i].address - end);
		end = f[i].address + f[i].bytes;
	}
	end_column(c, WMC_COL_FUNCTION_GAP, WMC_ENC_VARINT);
	VARINTS(c, FUNCTION_BYTES, v, function, bytes);
	DELTAS(c, FUNCTION_NAME, v, function, name);
	DELTAS(c, FUNCTION_OBJECT, v, function, object);
}

/* Adds column @id: the steps between addresses, the first members of items. */
static void put_steps(struct columns *c, enum wmc_column id,
		      const struct wm_vec *v)
{
	const char *item = v->items;
	uint64_t before = 0, address;

	for (size_t i = 0; i < v->count; i++, item += v->item) {
		memcpy(&address, item, sizeof(address));
		put_varint(&c->body, address - before);
		before = address;
	}
	end_column(c, id, WMC_ENC_VARINT);
}

static void put_field(struct buf *b, enum wmc_field tag, const void *p,
		      size_t n)
{
	put_varint(b, tag);
	put_varint(b, n);
	put_bytes(b, p, n);
}

static void put_text(struct buf *b, enum wmc_field tag, const char *s)
{
	if (s)
		put_field(b, tag, s, strlen(s));
}

static void put_uint(struct buf *b, enum wmc_field tag, uint64_t v)
{
	uint8_t bytes[WM_VARINT_MAX];

	put_field(b, tag, bytes, (size_t)(wm_varint_put(bytes, v) - bytes));
}

static void put_head(struct buf *b, const struct wm_census_model *m,
		     size_t lines, size_t inlines)
{
	static const uint8_t version[4] = { WMC_MAJOR, WMC_MINOR, 0, 0 };

	put_bytes(b, WMC_MAGIC, WMC_MAGIC_SIZE);
	put_bytes(b, version, sizeof(version));
	put_text(b, WMC_F_PROGRAM, m->program);
	if (m->build_id_size)
		put_field(b, WMC_F_BUILD_ID, m->build_id, m->build_id_size);
	put_text(b, WMC_F_TOOL_VERSION, WM_VERSION);
	put_text(b, WMC_F_LINK_MAP, m->link_map);
	put_text(b, WMC_F_UNSEEN, m->unseen);
	put_uint(b, WMC_F_DEBUG,
		 lines ? m->debug : m->debug & ~(unsigned)WMC_DEBUG_LINES);
	put_uint(b, WMC_F_STRINGS, m->strings.count);
	put_uint(b, WMC_F_SECTIONS, m->sections.count);
	put_uint(b, WMC_F_ROWS, m->rows.count);
	put_uint(b, WMC_F_FUNCTIONS, m->functions.count);
	put_uint(b, WMC_F_LINES, lines);
	put_uint(b, WMC_F_INLINES, inlines);
	if (m->receivers.count)
		put_uint(b, WMC_F_RECEIVERS, m->receivers.count);
	if (m->hooked) {
		put_uint(b, WMC_F_HOOKED, m->hooked);
		put_uint(b, WMC_F_HOOKLESS, m->hookless.count);
	}
	put_varint(b, 0);
}

static int compress_bundle(const struct buf *in, uint8_t **bytes, size_t *size)
{
	size_t capacity = lzma_stream_buffer_bound(in->size);

	*bytes = malloc(capacity);
	*size = 0;
	if (*bytes && lzma_easy_buffer_encode(XZ_PRESET, LZMA_CHECK_CRC32, NULL,
					      in->data, in->size, *bytes, size,
					      capacity) == LZMA_OK)
		return 0;
	free(*bytes);
	*bytes = NULL;
	return -1;
}

static void put_all(struct columns *c, const struct wm_census_model *m,
		    bool lines, bool inlines)
{
	put_bytes(&c->body, m->strings.text, m->strings.size);
	end_column(c, WMC_COL_STRING, WMC_ENC_TEXT);
	DELTAS(c, SECTION_NAME, &m->sections, section, name);
	DELTAS(c, SECTION_ADDRESS, &m->sections, section, address);
	VARINTS(c, SECTION_BYTES, &m->sections, section, bytes);
	VARINTS(c, SECTION_CLASS, &m->sections, section, class);
	VARINTS(c, SECTION_ROWS, &m->sections, section, rows);
	DELTAS(c, ROW_NAME, &m->rows, row, name);
	DELTAS(c, ROW_ADDRESS, &m->rows, row, address);
	VARINTS(c, ROW_BYTES, &m->rows, row, bytes);
	DELTAS(c, ROW_OBJECT, &m->rows, row, object);
	DELTAS(c, ROW_FILE, &m->rows, row, file);
	DELTAS(c, ROW_LINE, &m->rows, row, line);
	VARINTS(c, ROW_FLAGS, &m->rows, row, flags);
	put_functions(c, &m->functions);
	if (lines) {
		put_steps(c, WMC_COL_LINE_STEP, &m->lines);
		DELTAS(c, LINE_FILE, &m->lines, line, file);
		DELTAS(c, LINE_NUMBER, &m->lines, line, line);
	}
	if (inlines) {
		put_steps(c, WMC_COL_INLINE_STEP, &m->inlines);
		VARINTS(c, INLINE_BYTES, &m->inlines, inline, bytes);
		DELTAS(c, INLINE_NAME, &m->inlines, inline, name);
		DELTAS(c, INLINE_FILE, &m->inlines, inline, file);
		DELTAS(c, INLINE_LINE, &m->inlines, inline, line);
	}
	if (m->receivers.count) {
		DELTAS(c, RECEIVER_FILE, &m->receivers, receiver, file);
		DELTAS(c, RECEIVER_LINE, &m->receivers, receiver, line);
		DELTAS(c, RECEIVER_NAME, &m->receivers, receiver, name);
	}
	if (m->hooked) {
		DELTAS(c, HOOKLESS_NAME, &m->hookless, hookless, name);
		VARINTS(c, HOOKLESS_OBJECTS, &m->hookless, hookless, objects);
		VARINTS(c, HOOKLESS_FLAGS, &m->hookless, hookless, flags);
	}
}

int wm_model_encode(const struct wm_census_model *m, uint8_t **bytes,
		    size_t *size)
{
	bool lines = m->lines.count > 0, inlines = m->inlines.count > 0;
	int status = -1;
	struct columns c;
	struct buf whole;

again:
	memset(&c, 0, sizeof(c));
	memset(&whole, 0, sizeof(whole));
	put_all(&c, m, lines, inlines);
	if ((lines || inlines) && c.body.size > WMC_MAX_BYTES - (64u << 10)) {
		free(c.list.data);
		free(c.body.data);
		if (!inlines)
			lines = false;
		inlines = false;
		goto again;
	}
	put_head(&whole, m, lines ? m->lines.count : 0,
		 inlines ? m->inlines.count : 0);
	put_varint(&whole, c.count);
	put_bytes(&whole, c.list.data, c.list.size);
	put_bytes(&whole, c.body.data, c.body.size);
	if (!m->strings.failed && !c.list.failed && !c.body.failed &&
	    !whole.failed && whole.size <= WMC_MAX_BYTES)
		status = compress_bundle(&whole, bytes, size);
	free(c.list.data);
	free(c.body.data);
	free(whole.data);
	return status;
}
