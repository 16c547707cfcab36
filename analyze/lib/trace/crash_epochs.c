/* SPDX-License-Identifier: Apache-2.0 */
/* Epochs of pages in the crash buffer (docs/trace-format.md, 8.9), which become
 * a block of the trace in memory. */
#include "analyze/lib/trace/read_crash_buffer.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/le.h"
#include "analyze/lib/base/octets.h"
#include "analyze/lib/base/vec.h"
#include "wm/trace_format.h"
#include "wm/varint.h"
#include "wm/window_format.h"

/* EPOCHS, ACCESSED and WRITTEN of a block. */
struct columns {
	struct wm_octets of[3];
	uint64_t first, epochs;
};

static enum wm_status malformed(struct wm_err *err)
{
	return wm_err_set(err, WM_BAD_INPUT, "malformed epochs");
}

/* Returns the end of the set of pages at @p, or NULL if it is too long. */
static const uint8_t *after_set(const uint8_t *p, const uint8_t *end)
{
	uint64_t size;

	p = wm_varint_get(p, end, &size);
	return p && size >> 1 <= (uint64_t)(end - p) ? p + (size >> 1) : NULL;
}

/* Splits one epoch: eight numbers and two sets. */
static enum wm_status split_epoch(struct columns *c, const uint8_t *p,
				  const uint8_t *end, struct wm_err *err)
{
	const uint8_t *at[4] = { p };
	uint64_t v;

	for (int i = 0; i < WMT_EPOCH_NUMBERS && p; i++)
		p = wm_varint_get(p, end, &v);
	at[1] = p;
	at[2] = p ? after_set(p, end) : NULL;
	at[3] = at[2] ? after_set(at[2], end) : NULL;
	if (at[3] != end)
		return malformed(err);
	for (int i = 0; i < 3; i++)
		wm_octets_add(&c->of[i], at[i], (size_t)(at[i + 1] - at[i]));
	return WM_OK;
}

static enum wm_status split_all(struct columns *c, const uint8_t *p,
				const uint8_t *end, struct wm_err *err)
{
	const size_t head = sizeof(struct wmw_epoch);
	enum wm_status r = WM_OK;

	while (p < end && !r) {
		uint64_t number, bytes, all;

		if ((size_t)(end - p) < head)
			return malformed(err);
		number = wm_load_le64(p + offsetof(struct wmw_epoch, number));
		bytes = wm_load_le64(p + offsetof(struct wmw_epoch, bytes));
		all = (bytes + 7) & ~UINT64_C(7);
		p += head;
		if (bytes > (size_t)(end - p) || all > (size_t)(end - p) ||
		    number > UINT32_MAX ||
		    (c->epochs && number != c->first + c->epochs))
			return malformed(err);
		if (!c->epochs++)
			c->first = number;
		r = split_epoch(c, p, p + bytes, err);
		p += all;
	}
	return r;
}

static enum wm_status add_block(struct wm_trace *t, const struct columns *c,
				struct wm_err *err)
{
	size_t bytes = c->of[0].len + c->of[1].len + c->of[2].len;
	struct wm_page_block *b = WM_MORE(t->page_blocks, t->page_block_cap,
					  t->page_block_count);
	uint8_t *to = malloc(bytes + 1);

	if (!b || !to) {
		free(to);
		return wm_no_memory(err, NULL);
	}
	free(t->page_memory);
	t->page_memory = to;
	b->number = UINT32_MAX;
	b->first = c->first;
	b->epochs = c->epochs;
	b->memory = to;
	for (int i = 0; i < 3; i++) {
		if (c->of[i].len)
			memcpy(to, c->of[i].p, c->of[i].len);
		to += b->size[i] = c->of[i].len;
	}
	if (t->epochs_end > c->first)
		b->known = t->epochs_end - c->first;
	t->page_block_count++;
	t->page_shift = t->page_shift ? t->page_shift : 12;
	t->epochs += c->epochs - b->known;
	t->epochs_end = c->first + c->epochs;
	return WM_OK;
}

enum wm_status wm_crash_epochs_read(struct wm_trace *t, struct wm_source *src,
				    uint64_t offset, size_t bytes,
				    struct wm_err *err)
{
	struct columns c = { .first = 0 };
	const uint8_t *p;
	enum wm_status r = wm_source_view(src, offset, bytes, &p, err);

	if (!r)
		r = split_all(&c, p, p + bytes, err);
	if (!r && (c.of[0].failed || c.of[1].failed || c.of[2].failed))
		r = wm_no_memory(err, NULL);
	/* the first epochs may be in the trace already */
	if (!r && c.epochs && c.first + c.epochs > t->epochs_end)
		r = add_block(t, &c, err);
	for (int i = 0; i < 3; i++)
		wm_octets_release(&c.of[i]);
	return r;
}
