/* SPDX-License-Identifier: Apache-2.0 */
/* Statements of wmt-make about page accesses become blocks PAGES. */
#include <stdlib.h>
#include <string.h>

#include "tests/tools/make.h"
#include "wm/trace_format.h"
#include "wm/window_format.h"

struct run {
	uint64_t first, end;
};

struct list {
	struct run *run;
	size_t n, cap;
	uint64_t pages;
};

static struct fix_block pending;
static struct list before;
static uint64_t first, epochs, end_ns, cpu_ns, flags;
static struct fix_bytes covered, not_covered;
/* what the columns have before each epoch of the block, and behind the last */
static size_t (*mark)[3], marks;

static void put_mark(void)
{
	mark = fix_alloc(mark, (marks + 2) * sizeof(*mark));
	for (int i = 0; i < 3; i++)
		mark[marks][i] = pending.column[WMT_COL_EPOCHS + i].n;
	marks++;
}

/* "0x10-0x1f,0x30" or "-": numbers, the last one of each with it. */
static void parse_list(struct list *l, const char *s)
{
	l->n = l->pages = 0;
	while (strcmp(s, "-") != 0) {
		struct run *r;
		char *end;

		if (l->n == l->cap) {
			l->cap = l->cap ? 2 * l->cap : 64;
			l->run = fix_alloc(l->run, l->cap * sizeof(*r));
		}
		r = &l->run[l->n++];
		r->first = strtoull(s, &end, 0);
		r->end = (*end == '-' ? strtoull(end + 1, &end, 0) : r->first) +
			 1;
		l->pages += r->end - r->first;
		if (!*end)
			break;
		s = end + 1;
	}
}

/* One token a run. */
static void put_runs(struct fix_bytes *out, const struct list *l,
		     int difference)
{
	struct fix_bytes b = { 0 };
	uint64_t at = 0;

	for (size_t i = 0; i < l->n; i++) {
		fix_varint(&b, l->run[i].first - at);
		fix_varint(&b, (l->run[i].end - l->run[i].first - 1) << 1);
		at = l->run[i].end;
	}
	fix_varint(out, b.n << 1 | (uint64_t)difference);
	fix_put(out, b.p, b.n);
	free(b.p);
}

static int is_same(const struct list *a, const struct list *b)
{
	return a->n == b->n &&
	       (!a->n || !memcmp(a->run, b->run, a->n * sizeof(*a->run)));
}

/* The places that @written has in @accessed; what is not in it comes behind. */
static void put_places(struct fix_bytes *out, const struct list *accessed,
		       struct list *written)
{
	for (size_t i = 0; i < written->n; i++) {
		struct run *w = &written->run[i];
		uint64_t base = 0, n = w->end - w->first;
		size_t k = 0;

		for (; k < accessed->n && accessed->run[k].end <= w->first; k++)
			base += accessed->run[k].end - accessed->run[k].first;
		if (k < accessed->n)
			base += w->first - accessed->run[k].first;
		w->first = base;
		w->end = base + n;
	}
	put_runs(out, written, 0);
}

/* epoch END_NS CPU_NS ACCESSED WRITTEN RESIDENT COVERED */
void pages_epoch(char **words)
{
	struct fix_bytes *e = &pending.column[WMT_COL_EPOCHS];
	struct list accessed = { 0 }, written = { 0 };
	uint64_t end = strtoull(words[0], NULL, 0);
	uint64_t cpu = strtoull(words[1], NULL, 0);
	static const struct list none;

	put_mark();
	parse_list(&accessed, words[2]);
	parse_list(&written, words[3]);
	fix_varint(e, end - end_ns);
	fix_varint(e, cpu - cpu_ns);
	fix_varint(e, accessed.pages);
	fix_varint(e, written.pages);
	fix_varint(e, strtoull(words[4], NULL, 0));
	fix_varint(e, strtoull(words[5], NULL, 0));
	fix_varint(e, 1000);
	fix_varint(e, flags);
	end_ns = end;
	cpu_ns = cpu;
	if (epochs && is_same(&accessed, &before))
		put_runs(&pending.column[WMT_COL_ACCESSED], &none, 1);
	else
		put_runs(&pending.column[WMT_COL_ACCESSED], &accessed, 0);
	put_places(&pending.column[WMT_COL_WRITTEN], &accessed, &written);
	free(written.run);
	free(before.run);
	before = accessed;
	epochs++;
}

/* writes-alone: of epochs from here on */
void pages_writes_alone(void)
{
	flags = WMT_EPOCH_WRITTEN_ALONE;
}

/* watch-cost THREAD FAULTS NS: number @i of them */
void pages_watch_cost(int i, uint64_t n)
{
	static const unsigned field[] = { WMT_F_WATCH_THREAD,
					  WMT_F_WATCH_FAULTS,
					  WMT_F_WATCH_FAULTS_NS };

	fix_field_uint(&pending, field[i], n);
}

/* touches who|spots|samples HEX HEX ... */
void pages_touches(const char *column, char *bytes)
{
	struct fix_bytes *to =
		&pending.column[*column == 'w'	 ? WMT_COL_WHO :
				column[1] == 'p' ? WMT_COL_SPOTS :
						   WMT_COL_SAMPLES];

	flags = WMT_EPOCH_HOOKED;
	for (char *w = strtok(bytes, " "); w; w = strtok(NULL, " ")) {
		uint8_t byte = (uint8_t)strtoul(w, NULL, 16);

		fix_put(to, &byte, 1);
	}
}

/* covered FIRST-LAST KIND, once for each range, in order; not-covered WHAT
 * BYTES: of the next block */
void pages_covered(int is, const char *a, const char *b)
{
	struct fix_bytes *to = is ? &covered : &not_covered;
	struct list l = { 0 };
	static uint64_t at;

	if (!is) {
		fix_varint(to, strtoull(a, NULL, 0));
		fix_varint(to, strtoull(b, NULL, 0));
		return;
	}
	parse_list(&l, a);
	fix_varint(to, l.run[0].first - (to->n ? at : 0));
	fix_varint(to, l.pages);
	fix_varint(to, strtoull(b, NULL, 0));
	at = l.run[0].end;
	free(l.run);
}

/* The count of numbers in @list, @each to an item, comes before them. */
static void put_list(int column, struct fix_bytes *list, uint64_t each)
{
	uint64_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		n += !(list->p[i] & 0x80);
	if (n) {
		fix_varint(&pending.column[column], n / each);
		fix_put(&pending.column[column], list->p, list->n);
	}
	free(list->p);
	*list = (struct fix_bytes){ 0 };
}

void pages_block(const char *end)
{
	pending.type = WMT_BLOCK_PAGES;
	fix_field_uint(&pending, WMT_F_EPOCH_FIRST, first);
	fix_field_uint(&pending, WMT_F_EPOCHS, epochs);
	fix_field_uint(&pending, WMT_F_PAGE_SHIFT, 12);
	fix_field_uint(&pending, WMT_F_INTERVAL, 50000000);
	if (end)
		fix_field_text(&pending, WMT_F_PAGES_END, end);
	put_list(WMT_COL_COVERED, &covered, 3);
	put_list(WMT_COL_NOT_COVERED, &not_covered, 2);
	first += epochs;
	epochs = marks = 0;
	put_block(&pending);
	pending = (struct fix_block){ 0 };
}

/* The epochs that no block has, as the crash buffer has them. */
struct fix_bytes pages_log(void)
{
	struct fix_bytes out = { 0 };
	static const uint8_t zeros[8];

	put_mark();
	for (size_t e = 0; e + 1 < marks; e++) {
		struct wmw_epoch head = { .number = first + e };

		for (int i = 0; i < 3; i++)
			head.bytes += mark[e + 1][i] - mark[e][i];
		fix_put(&out, &head, sizeof(head));
		for (int i = 0; i < 3; i++)
			fix_put(&out,
				pending.column[WMT_COL_EPOCHS + i].p +
					mark[e][i],
				mark[e + 1][i] - mark[e][i]);
		fix_put(&out, zeros, -head.bytes & 7);
	}
	return out;
}

void pages_begin(void)
{
	marks = 0;
	first = epochs = end_ns = cpu_ns = flags = 0;
	free(before.run);
	before = (struct list){ 0 };
}

void pages_lose(uint64_t n)
{
	first += n;
}
