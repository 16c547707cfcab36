/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pages/written.h"

#include <errno.h>
#include <sys/mman.h>

#include "wm/trace_format.h"

#include "runtime/pages/backing.h"
#include "runtime/pages/maps.h"
#include "runtime/pages/page_ranges.h"
#include "runtime/pages/scan.h"

static uint8_t kind_of(const struct wm_map *m)
{
	switch (m->name) {
	case WM_MAP_BREAK:
		return WMT_COVERED_BREAK;
	case WM_MAP_FILE:
		return WMT_COVERED_STATIC;
	default:
		return WMT_COVERED_MAPPING;
	}
}

static int watch_part(uint64_t start, uint64_t end, uint8_t kind,
		      struct wm_buf *runs)
{
	const struct wm_watched_range r = {
		.start = start,
		.end = end,
		.kind = kind,
		.state = WM_RANGE_ARMED,
	};
	int e = wm_backing_watch(start, end);

	if (e == 0)
		e = wm_scan_private_written(start, end, runs);
	/* Some mappings of the kernel cannot be watched; others may have been
	 * unmapped meanwhile. */
	if (e && e != -ENOMEM)
		return 0;
	return e || !wm_ranges_add(&r) ? -ENOMEM : 0;
}

/* Leaves out memory of the runtime, which the kernel may have joined to @m. */
static int watch_mapping(const struct wm_map *m, struct wm_buf *runs)
{
	uint64_t at = m->start, start, end;
	int e = 0;

	while (at < m->end && e == 0) {
		if (!wm_pool_region_from(at, &start, &end) || start >= m->end)
			start = end = m->end;
		if (start > at)
			e = watch_part(at, start, kind_of(m), runs);
		at = end;
	}
	return e;
}

int wm_written_gather(struct wm_buf *runs)
{
	static struct wm_buf maps;
	const struct wm_map *m;
	int e = wm_maps_read(&maps);

	wm_ranges_remove(0, UINT64_MAX);
	m = (const void *)maps.p;
	for (size_t n = maps.len / sizeof(*m); n-- && e == 0; m++)
		if ((m->prot & PROT_WRITE) && !m->shared &&
		    m->name != WM_MAP_KERNEL && m->name != WM_MAP_STACK)
			e = watch_mapping(m, runs);
	return e;
}

uint64_t wm_written_resident(void)
{
	uint64_t all, of_files;

	wm_maps_resident(&all, &of_files);
	return all > of_files ? all - of_files : 0;
}
