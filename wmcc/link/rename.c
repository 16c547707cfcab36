/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/link/rename.h"

#include <string.h>

#include "wmcc/link/object.h"

/* Strings with a common end may share it. */
static bool is_shared(const struct wm_elf_object *o, size_t at,
		      const struct wm_symbol_rename *r)
{
	size_t first = 0, end = strlen(r->was);

	while (first < end && r->was[first] == r->is[first])
		first++;
	while (end > first && r->was[end - 1] == r->is[end - 1])
		end--;
	for (size_t i = 1; i < o->symbol_count; i++) {
		const char *name = wm_object_symbol(o, i);
		size_t start = o->symbols[i].st_name;

		if (start != at && start < at + end &&
		    start + strlen(name) > at + first)
			return true;
	}
	return false;
}

long wm_rename_symbols(uint8_t *bytes, size_t size,
		       const struct wm_symbol_rename *r, size_t n)
{
	struct wm_elf_object o;
	long renamed = 0;

	if (wm_object_open(&o, bytes, size))
		return -1;
	for (size_t i = 1; i < o.symbol_count; i++) {
		size_t at = o.symbols[i].st_name;

		for (size_t k = 0; k < n; k++) {
			if (strcmp(wm_object_symbol(&o, i), r[k].was) != 0)
				continue;
			if (is_shared(&o, at, &r[k]))
				return -1;
			memcpy(bytes + o.strtab->sh_offset + at, r[k].is,
			       strlen(r[k].is));
			renamed++;
			break;
		}
	}
	return renamed;
}

void wm_rename_index(uint8_t *bytes, size_t size, bool wide,
		     const struct wm_symbol_rename *r, size_t n)
{
	size_t width = wide ? 8 : 4, at;
	uint64_t count = 0;

	for (size_t i = 0; i < width && i < size; i++)
		count = count << 8 | bytes[i];
	if (size < width || count > (size - width) / width)
		return;
	for (at = width + count * width; at < size;) {
		char *name = (char *)bytes + at;
		size_t length = strnlen(name, size - at);

		for (size_t k = 0; k < n && at + length < size; k++)
			if (!strcmp(name, r[k].was)) {
				memcpy(name, r[k].is, length);
				break;
			}
		at += length + 1;
	}
}
