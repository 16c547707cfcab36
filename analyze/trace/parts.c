/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/trace/parts.h"

#include <string.h>

#define PREFIX (WMT_PREFIX_SIZE - WMT_MAGIC_SIZE)

void wm_parts_init(struct wm_parts *p, const uint8_t *data, size_t size)
{
	memset(p, 0, sizeof(*p));
	p->p = data;
	p->end = size ? data + size : data; /* which may be NULL then */
}

bool wm_parts_prefix(struct wm_parts *p, const uint8_t **prefix)
{
	if (p->end - p->p < PREFIX)
		return false;
	*prefix = p->p;
	p->p += PREFIX;
	return true;
}

/* @n numbers as differences to the last ones of their field. */
static int get_numbers(struct wm_parts *p, struct wm_part_field *f, unsigned n)
{
	uint8_t *to = p->numbers;
	uint64_t code;
	unsigned i;

	if (f->tag >= WMT_PART_TAGS)
		return -1;
	for (i = 0; i < n; i++) {
		p->p = wm_varint_get(p->p, p->end, &code);
		if (!p->p)
			return -1;
		p->last[f->tag][i] += (uint64_t)wm_unzigzag(code);
		to = wm_varint_put(to, p->last[f->tag][i]);
	}
	f->data = p->numbers;
	f->size = (size_t)(to - p->numbers);
	return 1;
}

int wm_parts_field(struct wm_parts *p, struct wm_part_field *f)
{
	uint64_t code, size;

	p->p = wm_varint_get(p->p, p->end, &code);
	if (!p->p)
		return -1;
	f->tag = code >> 2;
	if (f->tag == 0)
		return code ? -1 : 0;
	if (code & 3)
		return get_numbers(p, f, code & 3);
	p->p = wm_varint_get(p->p, p->end, &size);
	if (!p->p || size > (uint64_t)(p->end - p->p))
		return -1;
	f->data = p->p;
	f->size = (size_t)size;
	p->p += size;
	return 1;
}

enum wm_status wm_parts_head(struct wm_parts *p, struct wm_head *h,
			     struct wm_err *err)
{
	struct wm_part_field f;
	const uint8_t *prefix;
	enum wm_status r;
	int more = -1;

	memset(h, 0, offsetof(struct wm_head, column));
	h->columns = 0;
	if (wm_parts_prefix(p, &prefix)) {
		h->minor = prefix[1];
		h->type = prefix[2];
		while ((more = wm_parts_field(p, &f)) > 0) {
			r = wm_head_field(h, f.tag, f.data, f.size, err);
			if (r)
				return r;
		}
	}
	if (more < 0)
		return wm_err_set(err, WM_BAD_INPUT,
				  "column PARTS is malformed");
	return WM_OK;
}
