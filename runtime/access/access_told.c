/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/access/access.h"

/* Returns the thread's stream if it records and no hook is at work. */
static struct wm_access_stream *resting(void)
{
	uintptr_t self = wm_access_self;
	struct wm_access_stream *s = (void *)(self - 1);

	return self & 1 && s != &wm_access_none ? s : NULL;
}

void wm_access_tell(const void *p, size_t bytes, unsigned kind)
{
	struct wm_access_stream *s = resting();

	if (s)
		s->told[kind] = (struct wm_access_told){ (uintptr_t)p, bytes,
							 s->count };
}

static bool is_told(const struct wm_access_told *t, const void *p, size_t bytes)
{
	return t->bytes == bytes && t->addr == (uintptr_t)p;
}

bool wm_access_told(const void *to, const void *from, size_t bytes)
{
	struct wm_access_stream *s = resting();
	struct wm_access_told *r, *w;
	uint64_t last;

	if (!s || !bytes)
		return false;
	r = &s->told[WMA_READ];
	w = &s->told[WMA_WRITE];
	if (!is_told(w, to, bytes) || (from && !is_told(r, from, bytes)))
		return false;
	/* No access may have followed. */
	last = from && r->count > w->count ? r->count : w->count;
	if (last != s->count || (from && r->count + w->count + 1 != 2 * last))
		return false;
	w->bytes = 0;
	return true;
}
