/* SPDX-License-Identifier: Apache-2.0 */
/* What is followed becomes private memory again, or is told to a fork that
 * makes a copy of it (followed.h). */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/sys.h"
#include "runtime/pages/backing.h"
#include "runtime/pages/maps.h"
#include "runtime/pages/followed.h"

#define ADVICE_POPULATE_WRITE 23

#define AT_A_TIME (UINT64_C(2) << 20)

static int prot_of(const struct wm_buf *maps, uint64_t at)
{
	const struct wm_map *m = (const void *)maps->p;

	for (size_t i = 0; i < maps->len / sizeof(*m); i++)
		if (m[i].start <= at && at < m[i].end)
			return m[i].prot;
	return PROT_NONE;
}

/*
 * A private mapping of the file reads the same bytes, at once and for all
 * threads; then a write fault that writes nothing makes each page private, and
 * the file's own is given back.  So no more than a few pages are there twice.
 */
static void make_private(const struct wm_page_range *r, int prot)
{
	uint64_t at = r->start, end;

	if (wm_sys_bad(wm_backing_map(r->start, r->end, r->shift, prot,
				      MAP_PRIVATE)))
		return;
	while (wm_backing_next(r, &at, &end)) {
		if (end - at > AT_A_TIME)
			end = at + AT_A_TIME;
		/* else it is shared with the file alone, which nobody writes */
		if (WM_SYS3(SYS_madvise, at, end - at, ADVICE_POPULATE_WRITE) ==
		    0)
			wm_backing_hole(at, end, r->shift);
		at = end;
	}
}

static struct wm_buf maps;

/* Anonymous memory, which the kernel can wipe: by copying. */
int wm_followed_make_anonymous(struct wm_page_range *r, const void *unused)
{
	uint64_t bytes = r->end - r->start, at = r->start, end;
	int prot;
	long p;

	(void)unused;
	p = wm_maps_read(&maps);
	if (p)
		return (int)p;
	prot = prot_of(&maps, r->start);
	p = wm_backing_anonymous(0, bytes, 0);
	if (wm_sys_bad(p))
		return (int)p;
	WM_SYS3(SYS_mprotect, r->start, bytes, prot | PROT_READ);
	while (wm_backing_next(r, &at, &end)) {
		memcpy((char *)p + (at - r->start), (void *)(uintptr_t)at,
		       end - at);
		at = end;
	}
	wm_followed_remember(r);
	WM_SYS3(SYS_mprotect, p, bytes, prot);
	p = wm_sys6(SYS_mremap, p, (long)bytes, (long)bytes,
		    MREMAP_MAYMOVE | MREMAP_FIXED, (long)r->start, 0);
	if (wm_sys_bad(p))
		return (int)p;
	return wm_followed_drop(r, NULL);
}

static int put_part(struct wm_buf *list, struct wm_pages_part part)
{
	if (wm_buf_reserve(list, sizeof(part)))
		return -ENOMEM;
	memcpy(list->p + list->len, &part, sizeof(part));
	list->len += sizeof(part);
	return 0;
}

static int list_extents(const struct wm_page_range *r, struct wm_buf *extents)
{
	uint64_t at = r->start, end;

	for (; wm_backing_next(r, &at, &end); at = end)
		if (put_part(extents, (struct wm_pages_part){ at, end, 0 }))
			return -ENOMEM;
	return 0;
}

/* @r, by mappings. */
static int list_parts(const struct wm_page_range *r, struct wm_buf *parts)
{
	const struct wm_map *m = (const void *)maps.p;

	for (size_t i = 0; i < maps.len / sizeof(*m); i++) {
		struct wm_pages_part part = { r->start, r->end, m[i].prot };

		if (m[i].end <= r->start || m[i].start >= r->end)
			continue;
		if (m[i].start > part.start)
			part.start = m[i].start;
		if (m[i].end < part.end)
			part.end = m[i].end;
		if (put_part(parts, part))
			return -ENOMEM;
	}
	return 0;
}

int wm_followed_list(struct wm_buf *parts, struct wm_buf *extents)
{
	int e = wm_maps_read(&maps);

	parts->len = extents->len = 0;
	for (size_t i = 0; i < wm_ranges_count() && e == 0; i++) {
		e = list_parts(wm_ranges_at(i), parts);
		if (e == 0)
			e = list_extents(wm_ranges_at(i), extents);
	}
	return e;
}

int wm_followed_release(uint64_t start, uint64_t end)
{
	return wm_followed_each(start, end, wm_followed_make_anonymous, NULL);
}

void wm_followed_end(void)
{
	static struct wm_buf parts;
	const struct wm_pages_part *p;
	size_t i = 0;

	wm_followed_ended = true;
	if (wm_maps_read(&maps))
		return;
	while (i < wm_ranges_count()) {
		struct wm_page_range r = *wm_ranges_at(i++);

		parts.len = 0;
		if (list_parts(&r, &parts))
			continue;
		p = (const void *)parts.p;
		for (size_t n = parts.len / sizeof(*p); n--; p++) {
			r.start = p->start;
			r.end = p->end;
			make_private(&r, p->prot);
		}
	}
	wm_ranges_remove(0, UINT64_MAX);
}
