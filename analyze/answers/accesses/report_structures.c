/* SPDX-License-Identifier: Apache-2.0 */

#include <inttypes.h>
#include <stdio.h>

#include "analyze/answers/accesses/access_members.h"
#include "analyze/render/table.h"

static const struct wm_table_column columns[] = {
	{ "variable", NULL, WM_UNIT_TEXT },
	{ "variable_file", NULL, WM_UNIT_TEXT },
	{ "variable_line", NULL, WM_UNIT_NUMBER },
	{ "elements", "elements", WM_UNIT_COUNT },
	{ "element_bytes", "bytes each", WM_UNIT_NUMBER },
	{ "unsure", "unsure", WM_UNIT_COUNT },
	{ "hot_bytes", NULL, WM_UNIT_NUMBER },
	{ "lines", NULL, WM_UNIT_COUNT },
	{ "lines_apart", NULL, WM_UNIT_COUNT },
	{ "member", NULL, WM_UNIT_TEXT },
	{ "offset", "offset", WM_UNIT_NUMBER },
	{ "member_bytes", "bytes", WM_UNIT_NUMBER },
	{ "cold", NULL, WM_UNIT_FLAG },
	{ "loads", "loads", WM_UNIT_COUNT },
	{ "stores", "stores", WM_UNIT_COUNT },
	{ "accesses", NULL, WM_UNIT_COUNT },
	{ "bytes", "accessed", WM_UNIT_BYTES },
	{ "share", "share", WM_UNIT_PERCENT },
	{ ".what", "structure, member", WM_UNIT_TEXT },
};

static void put_sum(struct wm_table *t, const struct wm_access_sum *s)
{
	wm_table_at(t, "loads");
	WM_TABLE_ADD(t, s->loads, s->stores, s->accesses, s->bytes);
}

static void put_structure(struct wm_table *t, const struct wm_structure_use *s)
{
	const struct wm_access_named *v = s->variable;

	wm_table_row(t, 0);
	WM_TABLE_ADD(t, v->name, v->file, wm_nonzero(v->line), s->elements,
		     s->element_bytes, s->unsure, wm_nonzero(s->hot_bytes),
		     wm_known(s->hot_bytes != 0, s->lines));
	/* the packed hot members of 64 elements take as many lines of 64 bytes
	 * as those of one element take bytes */
	WM_TABLE_ADD(t, wm_known(s->hot_bytes != 0, s->hot_bytes));
	put_sum(t, &s->sum);
	wm_table_at(t, ".what");
	wm_table_text(t, v->name);
	for (size_t i = 0; i < s->members; i++) {
		const struct wm_member_use *m = &s->member[i];

		wm_table_row(t, 1);
		wm_table_at(t, "member");
		WM_TABLE_ADD(t, m->member.name, m->member.offset,
			     m->member.bytes, m->cold);
		put_sum(t, &m->sum);
		WM_TABLE_ADD(t, wm_share(m->sum.accesses, s->sum.accesses),
			     m->member.name);
	}
}

/* Writes as many names of cold, or of hot, members as fit. */
static void list_names(const struct wm_structure_use *s, bool cold, char *to,
		       size_t room)
{
	size_t at = 0;

	to[0] = 0;
	for (size_t i = 0; i < s->members; i++) {
		int k;

		if (s->member[i].cold != cold)
			continue;
		k = snprintf(to + at, room - at, "%s%s", at ? ", " : "",
			     s->member[i].member.name);
		if (k < 0 || (size_t)k >= room - at) {
			snprintf(to + at, room - at, "%s", at ? " ..." : "...");
			return;
		}
		at += (size_t)k;
		if (room - at < sizeof(" ...") + 1)
			return;
	}
}

static void put_split(const struct wm_structure_use *s, struct wm_doc *d)
{
	char hot[160], cold[160];

	list_names(s, false, hot, sizeof(hot));
	list_names(s, true, cold, sizeof(cold));
	wm_doc_print(d,
		     "  %s: %" PRIu64 " of %" PRIu64
		     " bytes are hot: %s\n    apart: %s; 64 elements are then "
		     "%" PRIu64 " lines of 64 bytes instead of %" PRIu64 "\n",
		     s->variable->name, s->hot_bytes, s->element_bytes, hot,
		     cold, s->hot_bytes, s->lines);
}

static void put_text(const struct wm_structure_uses *u, struct wm_table *t,
		     size_t top, struct wm_doc *d)
{
	size_t told = 0;

	if (!u->count) {
		wm_table_release(t);
		return;
	}
	wm_doc_heading(d, "Members of structures");
	wm_doc_table(d, t, NULL, top, WM_FOR_TEXT);
	for (size_t i = 0; i < u->count && (!top || told < top); i++) {
		if (!u->list[i].hot_bytes)
			continue;
		if (!told++)
			wm_doc_heading(d, "Structures with few hot members");
		put_split(&u->list[i], d);
	}
}

enum wm_status wm_structures_tell(const struct wm_analysis *a,
				  const struct wm_access_names *n, size_t top,
				  unsigned audience, struct wm_doc *d,
				  struct wm_err *err)
{
	struct wm_structure_uses u;
	enum wm_status s = wm_structure_uses_make(&u, a, n, err);
	struct wm_table t;

	if (s)
		return s;
	WM_TABLE_INIT(&t, columns);
	wm_table_level(&t,
		       "loads stores bytes elements element_bytes unsure .what",
		       0, NULL);
	wm_table_level(&t, "loads stores bytes share offset member_bytes .what",
		       2, "members");
	t.data_view = "variable variable_file variable_line elements "
		      "element_bytes unsure hot_bytes lines lines_apart member "
		      "offset member_bytes cold loads stores accesses bytes "
		      "share";
	t.airy = true;
	for (size_t i = 0; i < u.count; i++)
		put_structure(&t, &u.list[i]);
	if (audience == WM_FOR_TEXT)
		put_text(&u, &t, top, d);
	else
		wm_doc_table(d, &t, "structures", 0, audience);
	wm_structure_uses_release(&u);
	return WM_OK;
}
