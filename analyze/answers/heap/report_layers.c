/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline in layers (--by): a table, JSON and CSV. */
#include "analyze/answers/reports.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/answers/heap/layers.h"
#include "analyze/render/table.h"
#include "analyze/lib/replay/pass.h"

#define COLUMNS 5

enum wm_by wm_timeline_by(const struct wm_opts *o)
{
	enum wm_by by;

	if (o->request.choice == WM_RANK_ALL)
		return WM_BY_NOTHING;
	if (!o->by)
		return o->svg ? WM_BY_SITES : WM_BY_NOTHING;
	for (by = WM_BY_SITES; by < WM_BY_THREADS; by++)
		if (strcmp(o->by, wm_by_name[by]) == 0)
			break;
	return by;
}

unsigned wm_timeline_wants(const struct wm_opts *o)
{
	enum wm_by by = wm_timeline_by(o);

	return by == WM_BY_NOTHING ? 0 :
	       by == WM_BY_PHASES  ? WM_NEEDS(alloc_phases) :
	       by == WM_BY_NAMES   ? WM_NEEDS(names) :
				     WM_NEEDS(series);
}

enum wm_status wm_timeline_check(const struct wm_opts *o, struct wm_err *err)
{
	if (!o->by)
		return WM_OK;
	if (o->request.choice == WM_RANK_ALL)
		return wm_err_set(err, WM_USAGE,
				  "--by is about one rank: add --rank N, max "
				  "or min");
	if (strcmp(o->by, wm_by_name[wm_timeline_by(o)]) != 0)
		return wm_err_set(err, WM_USAGE,
				  "--by %s: not sites, libraries, phases, "
				  "names or threads",
				  o->by);
	return WM_OK;
}

static size_t top_bin(const struct wm_timeline *t, size_t i, size_t bins)
{
	size_t from = i * bins, best = from, k;

	for (k = from; k < from + bins && k < t->count; k++)
		if (t->bin[k].max > t->bin[best].max)
			best = k;
	return best;
}

/* Returns how many layers have a column of their own, each with a letter. */
static size_t count_letters(const struct wm_layers *l, const struct wm_doc *d)
{
	size_t room = d->columns > 48 ? (d->columns - 25) / 12 : 2;

	if (l->count <= room && l->count <= COLUMNS)
		return l->count;
	return room - 1 < COLUMNS ? room - 1 : COLUMNS;
}

static void add_row(struct wm_table *t, const struct wm_layers *l,
		    size_t letters, double from, uint64_t max, size_t bin)
{
	uint64_t rest = max;

	wm_table_at(t, NULL);
	WM_TABLE_ADD(t, from, max);
	for (size_t i = 0; i < letters; i++) {
		wm_table_uint(t, l->layer[i].bytes[bin]);
		rest -= l->layer[i].bytes[bin];
	}
	if (letters < l->count)
		wm_table_uint(t, rest);
}

static void tell_rows(const struct wm_rank *r, const struct wm_layers *l,
		      size_t letters, size_t rows, struct wm_doc *d)
{
	const struct wm_timeline *t = &r->timeline;
	static const struct wm_table_column letter[COLUMNS] = {
		{ "A", "          A", WM_UNIT_SOME },
		{ "B", "          B", WM_UNIT_SOME },
		{ "C", "          C", WM_UNIT_SOME },
		{ "D", "          D", WM_UNIT_SOME },
		{ "E", "          E", WM_UNIT_SOME },
	};
	struct wm_table_column column[COLUMNS + 3] = {
		{ "from", "      from", WM_UNIT_MOMENT },
		{ "max", "    highest", WM_UNIT_BYTES },
	};
	size_t bins = rows ? (t->count + rows - 1) / rows : 1, i, k;
	struct wm_table table;

	for (i = 0; i < letters; i++)
		column[2 + i] = letter[i];
	if (letters < l->count)
		column[2 + i] = (struct wm_table_column){ "other",
							  "      other",
							  WM_UNIT_SOME };
	wm_table_init(&table, column, 2 + letters + (letters < l->count));
	for (i = 0; i * bins < t->count; i++) {
		k = top_bin(t, i, bins);
		add_row(&table, l, letters, wm_rank_bin(r, i * bins),
			t->bin[k].max, k);
	}
	wm_doc_table(d, &table, NULL, 0, WM_FOR_TEXT);
}

static void tell_letters(const struct wm_layers *l, size_t letters,
			 struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "letter", "", WM_UNIT_WORDS },
		{ "most", "", WM_UNIT_WORDS },
		{ "bytes", "          ", WM_UNIT_BYTES },
		{ "name", "", WM_UNIT_TEXT },
	};
	char name[WM_LAYER_TEXT];
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	for (size_t i = 0; i < letters; i++) {
		wm_table_format(&t, "%c", (int)('A' + i));
		WM_TABLE_ADD(&t, "at most", l->layer[i].most,
			     wm_layer_name(&l->layer[i], name));
	}
	wm_doc_print(d, "\n");
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
	if (letters < l->count)
		wm_doc_print(d, "  and %zu more (--json and --csv have all)\n",
			     l->count - letters);
}

void wm_layers_text(const struct wm_analysis *a, const struct wm_layers *l,
		    size_t rows, struct wm_doc *d)
{
	size_t letters = count_letters(l, d);

	tell_rows(&a->ranks[a->chosen], l, letters, rows, d);
	tell_letters(l, letters, d);
}

static const struct wm_table_column columns[] = {
	{ "rank", "rank", WM_UNIT_NUMBER },
	{ "start_s", "start", WM_UNIT_SECONDS },
	{ "name", "name", WM_UNIT_TEXT },
	{ "file", "file", WM_UNIT_TEXT },
	{ "line", "line", WM_UNIT_NUMBER },
	{ "bytes", "bytes", WM_UNIT_BYTES },
};
#define PAGE_LAYERS 12

/* Returns the sums of the layers from @from on, which the caller frees. */
static uint64_t *sum_layers(const struct wm_layers *l, size_t from)
{
	uint64_t *sum = calloc(l->bins + 1, sizeof(*sum));

	for (size_t i = from; sum && i < l->count; i++)
		for (size_t k = 0; k < l->bins; k++)
			sum[k] += l->layer[i].bytes[k];
	return sum;
}

/* The page gets only the first layers and the sum of the others. */
void wm_layers_data(const struct wm_layers *l, enum wm_by by, struct wm_doc *d)
{
	size_t rows = d->data.tight && l->count > PAGE_LAYERS + 1 ?
			      PAGE_LAYERS :
			      l->count;
	uint64_t *sum = rows < l->count ? sum_layers(l, rows) : NULL;
	struct wm_table t;

	wm_json_text(&d->data, "by", wm_by_name[by]);
	WM_TABLE_INIT(&t, columns);
	t.data_view = by == WM_BY_SITES ? "name file line bytes" : "name bytes";
	t.short_of_memory = rows < l->count && !sum;
	for (size_t i = 0; i < rows; i++) {
		wm_table_at(&t, "name");
		WM_TABLE_ADD(&t, l->layer[i].name, l->layer[i].file,
			     l->layer[i].line);
		wm_table_numbers(&t, l->layer[i].bytes, l->bins);
	}
	if (sum) {
		wm_table_at(&t, "name");
		wm_table_format(&t, "(%zu others)", l->count - rows);
		WM_TABLE_ADD(&t, WM_NONE, 0);
		wm_table_numbers(&t, sum, l->bins);
	}
	wm_doc_table(d, &t, "layers", 0, WM_FOR_DATA);
	if (d->data.tight)
		wm_json_uint(&d->data, "others", l->count - rows);
	free(sum);
}

void wm_layers_table(const struct wm_analysis *a, const struct wm_layers *l,
		     struct wm_doc *d)
{
	const struct wm_rank *r = &a->ranks[a->chosen];
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	for (size_t k = 0; k < l->bins; k++) {
		for (size_t i = 0; i < l->count; i++) {
			const struct wm_layer *n = &l->layer[i];

			if (!n->bytes[k])
				continue;
			WM_TABLE_ADD(&t, r->rank, wm_rank_bin(r, k), n->name,
				     n->file, wm_nonzero(n->line), n->bytes[k]);
		}
	}
	wm_doc_table(d, &t, NULL, 0, WM_FOR_CSV);
}
