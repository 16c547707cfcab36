/* SPDX-License-Identifier: Apache-2.0 */
/* Finds functions and lines of addresses in the tables of a bundle. */
#include <stddef.h>
#include <string.h>

#include "analyze/symbols/bundle_tables.h"

#include "wm/search.h"

/* Counts rows that begin at or before @address.  The first member of each row
 * must be its address; rows must ascend. */
static size_t rows_until(const void *rows, size_t count, size_t bytes,
			 uint64_t address)
{
	uint64_t at;

	return WM_FIRST(i, count,
			(memcpy(&at, (const char *)rows + i * bytes,
				sizeof(at)),
			 at > address));
}
_Static_assert(!offsetof(struct wm_bundle_function, address) &&
		       !offsetof(struct wm_bundle_line, address) &&
		       !offsetof(struct wm_bundle_inlined, address) &&
		       !offsetof(struct wm_bundle_receiver, place),
	       "rows_until() looks there");

static const struct wm_bundle_function *function_at(const struct wm_bundle *b,
						    uint64_t address)
{
	const struct wm_bundle_function *f = b->functions;
	size_t n = rows_until(f, b->function_count, sizeof(*f), address);

	return n && address - f[n - 1].address < f[n - 1].bytes ? &f[n - 1] :
								  NULL;
}

static const struct wm_bundle_line *line_at(const struct wm_bundle *b,
					    uint64_t address)
{
	const struct wm_bundle_line *l = b->lines;
	size_t n = rows_until(l, b->line_count, sizeof(*l), address);

	return n && l[n - 1].file ? &l[n - 1] : NULL;
}

static const char *receiver_at(const struct wm_bundle *b, uint32_t file,
			       uint32_t line)
{
	const struct wm_bundle_receiver *r = b->receivers;
	uint64_t place = (uint64_t)file << 32 | line;
	size_t n = rows_until(r, b->receiver_count, sizeof(*r), place);

	return n && r[n - 1].place == place ? b->strings[r[n - 1].name] : NULL;
}

/* Returns the index + 1 of the innermost range around @address, or 0. */
static uint32_t inlined_at(const struct wm_bundle *b, uint64_t address)
{
	const struct wm_bundle_inlined *r = b->inlined;
	uint32_t at = (uint32_t)rows_until(r, b->inlined_count, sizeof(*r),
					   address);

	while (at && r[at - 1].end <= address)
		at = r[at - 1].outer;
	return at;
}

/* If @f begins with inlined code, the file is that of the outermost call. */
static const char *source_of(const struct wm_bundle *b,
			     const struct wm_bundle_function *f)
{
	const struct wm_bundle_line *l = line_at(b, f->address);
	uint32_t at = inlined_at(b, f->address);

	while (at && b->inlined[at - 1].outer)
		at = b->inlined[at - 1].outer;
	return at ? b->strings[b->inlined[at - 1].file] :
	       l  ? b->strings[l->file] :
		    NULL;
}

bool wm_bundle_find(const struct wm_bundle *b, uint64_t address,
		    struct wm_location *location)
{
	const struct wm_bundle_function *f = function_at(b, address);
	const struct wm_bundle_line *l = line_at(b, address);

	memset(location, 0, sizeof(*location));
	if (f) {
		location->function = b->strings[f->name];
		location->object = b->strings[f->object];
		location->source = source_of(b, f);
	}
	if (l) {
		location->file = b->strings[l->file];
		location->line = l->line;
		location->receiver = receiver_at(b, l->file, l->line);
	}
	return f || l;
}

/* Finds the range of lines of @f in the file of its first line @first.  Ignores
 * inlined code. */
static void find_lines(const struct wm_bundle *b,
		       const struct wm_bundle_function *f,
		       const struct wm_bundle_line *first, uint32_t *low,
		       uint32_t *high)
{
	const struct wm_bundle_line *l = first, *end = b->lines + b->line_count;

	*low = *high = first->line;
	for (; l < end && l->address < f->address + f->bytes; l++) {
		uint64_t at = l == first ? f->address : l->address;

		if (l->file != first->file || !l->line || inlined_at(b, at))
			continue;
		*low = l->line < *low ? l->line : *low;
		*high = l->line > *high ? l->line : *high;
	}
}

bool wm_bundle_find_start(const struct wm_bundle *b, uint64_t address,
			  struct wm_location *location)
{
	const struct wm_bundle_function *f = function_at(b, address);
	const struct wm_bundle_line *first = f ? line_at(b, f->address) : NULL;
	uint32_t high;

	if (!f || !wm_bundle_find(b, f->address, location))
		return false;
	location->receiver = NULL;
	if (first)
		find_lines(b, f, first, &location->line, &high);
	return true;
}

const char *wm_bundle_find_around(const struct wm_bundle *b, uint64_t address,
				  const char *file, uint32_t line,
				  bool (*skip)(const char *linkage))
{
	const struct wm_bundle_function *inside = function_at(b, address),
					*best = NULL;
	const struct wm_bundle_line *first, *top = NULL;
	uint32_t low, high = 0;

	for (size_t i = 0; inside && i < b->function_count; i++) {
		const struct wm_bundle_function *f = &b->functions[i];

		if (f == inside || f->object != inside->object || !f->name ||
		    skip(b->strings[f->name]))
			continue;
		first = line_at(b, f->address);
		if (!first || first->line > line ||
		    (top && first->line <= top->line) ||
		    strcmp(b->strings[first->file], file) != 0)
			continue;
		best = f;
		top = first;
	}
	if (best)
		find_lines(b, best, top, &low, &high);
	return high >= line ? b->strings[best->name] : NULL;
}

size_t wm_bundle_frames(const struct wm_bundle *b, uint64_t address,
			struct wm_location *locations, size_t room)
{
	const struct wm_bundle_inlined *r;
	size_t n = 0, skip = 0;
	struct wm_location here;
	uint32_t at, first = inlined_at(b, address);

	if (!room || !wm_bundle_find(b, address, &here))
		return 0;
	for (at = first; at; at = b->inlined[at - 1].outer)
		n++;
	if (n + 1 > room)
		skip = n + 1 - room;
	n = 0;
	for (at = first; at; at = r->outer) {
		struct wm_location inner = here;

		inner.source = inner.file;
		r = &b->inlined[at - 1];
		inner.function = b->strings[r->name];
		here.file = b->strings[r->file];
		here.line = r->file ? r->line : 0;
		here.receiver = receiver_at(b, r->file, r->line);
		if (skip)
			skip--;
		else
			locations[n++] = inner;
	}
	locations[n++] = here;
	return n;
}
