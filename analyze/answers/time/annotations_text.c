/* SPDX-License-Identifier: Apache-2.0 */
/* The program's annotations: phases, names of blocks and regions, marks,
 * snapshots. */
#include "analyze/answers/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define COLUMNS 28
#define ROOM (4 * COLUMNS + 1)
#define TAGS_SHOWN 3
#define NAMED_SHOWN 10

/* Writes a name that the program gave, or a variable that points to the blocks;
 * the variable is followed by its bytes unless they are @whole, all bytes of
 * the row. */
static void put_tag(const struct wm_name *n, uint64_t bytes, uint64_t whole,
		    FILE *out)
{
	char name[ROOM];
	struct wm_figure b;

	wm_cut(n->name, COLUMNS, name);
	if (n->variable && bytes == whole)
		fputs(name, out);
	else if (n->variable)
		fprintf(out, "%s %s", name, wm_bytes(&b, bytes));
	else
		fprintf(out, "'%s'", name);
}

static void put_tags(const struct wm_analysis *a, uint32_t path,
		     enum wm_moment moment, uint64_t whole, FILE *out)
{
	const struct wm_annotations *n = &a->annotations;
	size_t count, shown = 0, more = 0, i;
	const struct wm_tag *t = wm_annotations_tags(n, path, &count);

	for (i = 0; i < count && moment != WM_AT_SNAPSHOT; i++) {
		if (!(moment == WM_AT_PEAK ? t[i].peak_blocks :
					     t[i].end_blocks))
			continue;
		if (shown == TAGS_SHOWN) {
			more++;
			continue;
		}
		fputs(shown++ ? ", " : "", out);
		put_tag(&n->name[t[i].name],
			moment == WM_AT_PEAK ? t[i].peak_bytes : t[i].end_bytes,
			whole, out);
	}
	if (more)
		fprintf(out, " and %zu more", more);
}

void wm_add_tags(struct wm_table *t, const struct wm_analysis *a, uint32_t path,
		 enum wm_moment moment, uint64_t whole)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out)
		put_tags(a, path, moment, whole, out);
	t->short_of_memory |= !out || fclose(out);
	wm_table_text(t, text);
	free(text);
}

/* Returns the bytes of the variables that hold blocks of @f, by the number of
 * the name, and their count in *@variables.  Returns NULL if memory is
 * short. */
static uint64_t *add_up_variables(const struct wm_analysis *a,
				  const struct wm_function *f,
				  enum wm_moment moment, size_t *variables)
{
	const struct wm_annotations *n = &a->annotations;
	uint64_t *bytes = calloc(n->name_count + 1, sizeof(*bytes));
	size_t count;

	*variables = 0;
	for (size_t i = 0; bytes && i < f->held_count; i++) {
		const struct wm_tag *t = wm_annotations_tags(n, f->held[i].path,
							     &count);

		for (size_t k = 0; k < count; k++) {
			uint64_t more = moment == WM_AT_PEAK ? t[k].peak_bytes :
							       t[k].end_bytes;

			if (!n->name[t[k].name].variable)
				continue;
			*variables += more && !bytes[t[k].name];
			bytes[t[k].name] += more;
		}
	}
	return bytes;
}

void wm_add_variables(struct wm_table *t, const struct wm_analysis *a,
		      const struct wm_function *f, enum wm_moment moment)
{
	const struct wm_annotations *n = &a->annotations;
	size_t count, shown, size;
	uint64_t *bytes;
	char *text = NULL;
	FILE *out;

	if (!n->tag_count || moment == WM_AT_SNAPSHOT)
		return;
	bytes = add_up_variables(a, f, moment, &count);
	out = bytes ? open_memstream(&text, &size) : NULL;
	for (shown = 0; out && shown < TAGS_SHOWN && shown < count; shown++) {
		size_t most = 0;

		for (size_t i = 1; i < n->name_count; i++)
			if (bytes[i] > bytes[most])
				most = i;
		fputs(shown ? ", " : " ", out);
		put_tag(&n->name[most], bytes[most], f->bytes, out);
		bytes[most] = 0;
	}
	if (out && count > shown)
		fprintf(out, " and %zu more", count - shown);
	t->short_of_memory |= !out || fclose(out);
	if (count && text) {
		wm_table_row(t, 2);
		wm_table_name(t, "in", text);
	}
	free(bytes);
	free(text);
}

void wm_tell_phases(const struct wm_analysis *a, size_t top, unsigned audience,
		    struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "name", "phase", WM_UNIT_TEXT },
		{ "ranks", NULL, WM_UNIT_COUNT },
		{ "entered", "entered", WM_UNIT_COUNT },
		{ "start_s", "first at", WM_UNIT_SECONDS },
		{ "seconds", "time in it", WM_UNIT_SECONDS },
		{ "peak_bytes", "heap peak", WM_UNIT_BYTES },
		{ "peak_time_s", NULL, WM_UNIT_SECONDS },
		{ "end_bytes", "at its end", WM_UNIT_BYTES },
		{ "allocations", NULL, WM_UNIT_COUNT },
		{ "releases", NULL, WM_UNIT_COUNT },
	};
	const struct wm_annotations *n = &a->annotations;
	struct wm_table t;
	struct wm_figure b;

	if (!n->phase_count && audience == WM_FOR_TEXT)
		return;
	if (audience == WM_FOR_TEXT)
		wm_doc_heading(d, "Phases of %s", wm_chosen(&b, a));
	WM_TABLE_INIT(&t, columns);
	t.noun = "phase";
	t.spare = "start_s entered end_bytes";
	for (size_t i = 0; i < n->phase_count; i++) {
		const struct wm_phase *p = &n->phase[i];

		wm_table_text_or(&t, p->name, "(in no phase)");
		WM_TABLE_ADD(&t, p->ranks, p->entered, p->first, p->seconds,
			     p->peak_bytes, p->peak_seconds, p->end_bytes,
			     p->allocations, p->releases);
	}
	wm_doc_table(d, &t, "phases", top, audience);
}

/* Returns whether a variable is shown: it has blocks at the peak or at the
 * end. */
static bool is_shown(const struct wm_name *n)
{
	return !n->variable || n->peak_bytes || n->end_bytes;
}

void wm_tell_names(const struct wm_analysis *a, size_t top, unsigned audience,
		   struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "name", "name", WM_UNIT_TEXT },
		{ "from", NULL, WM_UNIT_TEXT },
		{ "bytes", "bytes", WM_UNIT_BYTES },
		{ "blocks", "blocks", WM_UNIT_COUNT },
		{ "peak_bytes", "its own peak", WM_UNIT_BYTES },
		{ "named_blocks", NULL, WM_UNIT_COUNT },
		{ "unfreed_bytes", "never freed", WM_UNIT_BYTES },
		{ "unfreed_blocks", NULL, WM_UNIT_COUNT },
	};
	const struct wm_annotations *n = &a->annotations;
	struct wm_table t;
	struct wm_figure b;
	size_t i, shown = 0;

	for (i = 0; i < n->name_count; i++)
		shown += is_shown(&n->name[i]);
	if (!shown && audience == WM_FOR_TEXT)
		return;
	if (audience == WM_FOR_TEXT)
		wm_doc_heading(d, "Named blocks at the peak of %s%s",
			       wm_chosen(&b, a),
			       a->chosen == WM_ALL_RANKS ?
				       " (each at its own)" :
				       "");
	WM_TABLE_INIT(&t, columns);
	wm_table_level(&t, "bytes blocks peak_bytes unfreed_bytes name", 0,
		       NULL);
	t.noun = "name";
	t.spare = "blocks unfreed_bytes";
	for (i = 0; i < n->name_count; i++) {
		const struct wm_name *p = &n->name[i];

		if (!is_shown(p))
			continue;
		WM_TABLE_ADD(&t, p->name, p->variable ? "variable" : "program",
			     p->peak_bytes, p->peak_blocks, p->high, p->blocks,
			     p->end_bytes, p->end_blocks);
	}
	wm_doc_table(d, &t, "names", top, audience);
}

void wm_tell_named(const struct wm_analysis *a, const struct wm_snapshot *s,
		   unsigned audience, struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ ".named", "      ", WM_UNIT_WORDS },
		{ "name", "", WM_UNIT_TEXT },
		{ "bytes", "           ", WM_UNIT_BYTES },
		{ "blocks", "          ", WM_UNIT_COUNT },
	};
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	wm_table_level(&t, ".named bytes blocks name", 0, NULL);
	t.noun = "name";
	for (size_t i = 0; i < s->named_count; i++) {
		WM_TABLE_ADD(&t, i ? NULL : " named",
			     a->annotations.name[s->named[i].what].name,
			     s->named[i].bytes, s->named[i].blocks);
	}
	wm_doc_table(d, &t, "names", NAMED_SHOWN, audience);
}

void wm_tell_snapshots(const struct wm_analysis *a, size_t top,
		       struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "name", "", WM_UNIT_TEXT },
		{ "time_s", "", WM_UNIT_INSTANT },
		{ "bytes", "", WM_UNIT_BYTES },
		{ "blocks", "", WM_UNIT_BLOCKS },
		{ "phase", "", WM_UNIT_WORDS },
	};
	const struct wm_annotations *n = &a->annotations;
	struct wm_table t;
	struct wm_figure b;
	char name[ROOM];

	if (!n->snapshot_count)
		return;
	wm_doc_heading(d, "Snapshots of %s (--snapshots lists their holders)",
		       wm_chosen(&b, a));
	WM_TABLE_INIT(&t, columns);
	t.noun = "snapshot";
	for (size_t i = 0; i < n->snapshot_count; i++) {
		const struct wm_snapshot *s = &n->snapshot[i];
		const char *phase = s->phase != WM_NO_PHASE ?
					    n->phase[s->phase].name :
					    NULL;

		WM_TABLE_ADD(&t, s->name, s->seconds, s->bytes, s->blocks);
		if (phase)
			wm_table_format(&t, "in phase '%s'",
					wm_cut(phase, COLUMNS, name));
		else
			WM_TABLE_ADD(&t, WM_NONE);
	}
	wm_doc_table(d, &t, NULL, top, WM_FOR_TEXT);
}

void wm_tell_marks(const struct wm_analysis *a, size_t top, unsigned audience,
		   struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "text", "mark", WM_UNIT_TEXT },
		{ "time_s", "at", WM_UNIT_INSTANT },
		{ "bytes", "live heap", WM_UNIT_BYTES },
		{ "phase", "in phase", WM_UNIT_TEXT },
	};
	const struct wm_annotations *n = &a->annotations;
	struct wm_table t;
	struct wm_figure b;

	if (!n->text_count && audience == WM_FOR_TEXT)
		return;
	if (audience == WM_FOR_TEXT)
		wm_doc_heading(d, "Marks of %s", wm_chosen(&b, a));
	WM_TABLE_INIT(&t, columns);
	t.noun = "mark";
	for (size_t i = 0; i < n->text_count; i++) {
		const struct wm_text_mark *m = &n->text[i];

		WM_TABLE_ADD(&t, m->text, m->seconds, m->bytes,
			     m->phase != WM_NO_PHASE ? n->phase[m->phase].name :
						       NULL);
	}
	wm_doc_table(d, &t, "marks", top, audience);
}

void wm_tell_regions(const struct wm_analysis *a, size_t top, unsigned audience,
		     struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "name", "region", WM_UNIT_TEXT },
		{ "bytes", "bytes", WM_UNIT_BYTES },
		{ "element_bytes", "of an element", WM_UNIT_SOME },
		{ "address", "address", WM_UNIT_WORDS },
		{ "start_s", "from", WM_UNIT_SECONDS },
		{ "end_s", "until", WM_UNIT_SECONDS },
	};
	const struct wm_annotations *n = &a->annotations;
	struct wm_table t;
	struct wm_figure b;

	if (!n->region_count && audience == WM_FOR_TEXT)
		return;
	if (audience == WM_FOR_TEXT)
		wm_doc_heading(d, "Named regions of %s", wm_chosen(&b, a));
	WM_TABLE_INIT(&t, columns);
	t.noun = "region";
	for (size_t i = 0; i < n->region_count; i++) {
		const struct wm_named_region *x = &n->region[i];

		WM_TABLE_ADD(&t, x->name, x->bytes, x->element);
		wm_table_format(&t, "0x%" PRIx64, x->address);
		WM_TABLE_ADD(&t, x->from, wm_known_real(x->ended, x->to));
	}
	wm_doc_table(d, &t, "regions", top, audience);
}
