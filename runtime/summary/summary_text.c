/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the table.  Units are those of wm-analyze's text. */
#include <stdbool.h>

#include "runtime/summary/summary.h"

#define NAME_WIDTH 14

static void pad_to(struct wm_text *t, size_t to)
{
	while (t->len < to && !t->full)
		wm_text_char(t, ' ');
}

static void add_bytes(struct wm_text *t, uint64_t bytes)
{
	static const char *const unit[] = { " bytes", " KiB", " MiB", " GiB",
					    " TiB",   " PiB", " EiB" };
	uint64_t tenths = 0, low;
	int i = 0;

	if (bytes < 1024) {
		wm_text_uint(t, bytes, 1);
		wm_text_add(t, bytes == 1 ? " byte" : unit[0]);
		return;
	}
	do {
		i++;
		low = bytes & ((UINT64_C(1) << 10 * i) - 1);
		tenths = (bytes >> 10 * i) * 10;
		/* ten bits of the fraction are enough for one digit */
		tenths += ((low >> 10 * (i - 1)) * 10 + 512) >> 10;
	} while (tenths >= 10240 && i < 6);
	wm_text_uint(t, tenths / 10, 1);
	wm_text_char(t, '.');
	wm_text_uint(t, tenths % 10, 1);
	wm_text_add(t, unit[i]);
}

static void add_count(struct wm_text *t, uint64_t n)
{
	uint64_t unit = 1;

	while (n / unit >= 1000)
		unit *= 1000;
	wm_text_uint(t, n / unit, 1);
	while (unit > 1) {
		unit /= 1000;
		wm_text_char(t, ',');
		/* cppcheck-suppress zerodivcond ; a power of 1000 */
		wm_text_uint(t, n / unit % 1000, 3);
	}
}

static void add_seconds(struct wm_text *t, uint64_t ns)
{
	uint64_t ms = (ns + 500000) / 1000000;

	wm_text_uint(t, ms / 1000, 1);
	wm_text_char(t, '.');
	wm_text_uint(t, ms % 1000, 3);
	wm_text_add(t, " s");
}

static void add_plural(struct wm_text *t, uint64_t n, const char *what)
{
	add_count(t, n);
	wm_text_add(t, what);
	if (n != 1)
		wm_text_char(t, 's');
}

static size_t begin_row(struct wm_text *t, const char *name)
{
	size_t start = t->len;

	wm_text_add(t, "  ");
	wm_text_add(t, name);
	pad_to(t, start + 2 + NAME_WIDTH);
	return start + 2 + NAME_WIDTH;
}

static void put_cell(struct wm_text *t, size_t *at, uint64_t bytes)
{
	char buf[32];
	struct wm_text c = wm_text_on(buf, sizeof(buf));

	add_bytes(&c, bytes);
	pad_to(t, *at + 12 - c.len);
	wm_text_add(t, buf);
	*at += 12;
}

static void rank_cell(struct wm_text *t, size_t *at, uint32_t rank)
{
	wm_text_add(t, " (");
	wm_text_uint(t, rank, 1);
	wm_text_char(t, ')');
	pad_to(t, *at + 9);
	*at += 9;
}

static void stat_row(struct wm_text *t, const char *name,
		     const struct wm_summary_stat *s, bool one)
{
	size_t at = begin_row(t, name);

	if (!s->count) {
		pad_to(t, at + 4);
		wm_text_add(t, "not known\n");
		return;
	}
	put_cell(t, &at, s->max);
	if (!one) {
		rank_cell(t, &at, s->max_rank);
		put_cell(t, &at, s->min);
		rank_cell(t, &at, s->min_rank);
		put_cell(t, &at, wm_summary_mean(s));
		put_cell(t, &at, wm_summary_deviation(s));
	}
	wm_text_char(t, '\n');
}

static void put_unknown(struct wm_text *t, const struct wm_summary_job *j,
			bool one)
{
	uint64_t ranks = j->count - j->peak.count;

	if (!ranks)
		return;
	begin_row(t, "");
	wm_text_add(t, "usable bytes not known");
	if (!one) {
		wm_text_add(t, " of ");
		add_plural(t, ranks, " rank");
	}
	wm_text_add(t, ": the allocator has no malloc_usable_size;\n");
	begin_row(t, "");
	wm_text_add(t, "wm-analyze reports requested bytes\n");
}

static const struct wm_summary_node *worst_node(const struct wm_summary_job *j,
						uint64_t *most, uint64_t *least)
{
	const struct wm_summary_node *worst = NULL;
	uint64_t high, low;

	for (size_t i = 0; i < j->nodes; i++) {
		if (j->node[i].unknown)
			continue;
		wm_summary_concurrent(&j->node[i], &high, &low);
		if (worst && high <= *most)
			continue;
		worst = &j->node[i];
		*most = high;
		*least = low;
	}
	return worst;
}

static void put_node(struct wm_text *t, const struct wm_summary_job *j)
{
	uint64_t most, least;
	const struct wm_summary_node *n = worst_node(j, &most, &least);
	char low[32], high[32];
	struct wm_text l = wm_text_on(low, sizeof(low));
	struct wm_text h = wm_text_on(high, sizeof(high));
	size_t at = begin_row(t, "worst node");

	if (!n) {
		pad_to(t, at + 4);
		wm_text_add(t, "not known\n");
		return;
	}
	put_cell(t, &at, least);
	add_bytes(&l, least);
	add_bytes(&h, most);
	if (!wm_str_equal(low, high)) {
		wm_text_add(t, " to ");
		wm_text_add(t, high);
	}
	wm_text_add(t, " usable at one time by ");
	add_plural(t, n->ranks, " rank");
	wm_text_add(t, " on ");
	wm_text_plain(t, n->host);
	wm_text_char(t, '\n');
}

static void put_tool(struct wm_text *t, const struct wm_summary_job *j,
		     bool one)
{
	size_t at = begin_row(t, "tracing");

	put_cell(t, &at, j->tool.max);
	wm_text_add(t, one ? " of memory, " : " of memory and ");
	add_seconds(t, j->writing.max);
	wm_text_add(t,
		    one ? " of writing, " : " of writing in a rank at most, ");
	add_seconds(t, j->spent.max);
	wm_text_add(t, " for this table\n");
	begin_row(t, "");
	add_plural(t, j->events, " event");
	wm_text_add(t, " in ");
	add_bytes(t, j->trace_bytes);
	wm_text_add(t, " of traces");
	if (j->dropped) {
		wm_text_add(t, ", ");
		add_count(t, j->dropped);
		wm_text_add(t, " lost");
	}
	if (j->overwritten)
		wm_text_add(t, ", not all mappings recorded");
	wm_text_char(t, '\n');
}

static void put_job(struct wm_text *t, const struct wm_summary_job *j,
		    const char *program)
{
	wm_text_add(t, "wmtrace: ");
	wm_text_plain(t, program);
	wm_text_add(t, ", ");
	if (j->ranks > 1) {
		if (j->count != j->ranks) {
			add_count(t, j->count);
			wm_text_add(t, " of ");
		}
		add_plural(t, j->ranks, " rank");
		wm_text_add(t, " on ");
		add_plural(t, j->nodes, " node");
		wm_text_add(t, ", ");
	}
	add_seconds(t, j->seconds_ns);
	wm_text_char(t, '\n');
	if (!j->absent)
		return;
	begin_row(t, "");
	add_plural(t, j->absent, " rank");
	wm_text_add(t, j->absent == 1 ? " is" : " are");
	wm_text_add(t, " not in this directory; if WM_DIR is a node's own:"
		       " wm-collect, then wm-analyze\n");
}

void wm_summary_print(const struct wm_summary_job *j, const char *program,
		      const char *dir, struct wm_text *t)
{
	bool one = j->ranks <= 1;
	size_t at;

	put_job(t, j, program);
	at = begin_row(t, "usable, heap");
	if (!one) {
		pad_to(t, at + 5);
		wm_text_add(t, "highest (rank)     lowest (rank)         mean"
			       "      stddev");
	}
	wm_text_char(t, '\n');
	stat_row(t, "high-water", &j->peak, one);
	stat_row(t, "live at end", &j->live, one);
	stat_row(t, "static memory", &j->fixed, one);
	put_unknown(t, j, one);
	if (!one)
		put_node(t, j);
	put_tool(t, j, one);
	if (dir[0]) {
		wm_text_add(t, "  wm-analyze ");
		wm_text_plain(t, dir);
		wm_text_char(t, '\n');
	}
}
