/* SPDX-License-Identifier: Apache-2.0 */
/* The crash buffer of a process that was killed: what no block has yet. */
#include <stdlib.h>
#include <string.h>

#include "tests/tools/make.h"
#include "wm/trace_format.h"
#include "wm/window_format.h"

#define ROUND(n, to) (((n) + (to)-1) / (to) * (to))

static void put_padding(FILE *out, size_t n)
{
	while (n--)
		putc(0, out);
}

/* The outermost frames of @p that are those of the path before it. */
static int shared_frames(const struct path *p, uint64_t n)
{
	const struct path *before;
	int i = 0;

	if (!n)
		return 0;
	before = path_by_number(n - 1);
	while (i < before->depth && i < p->depth &&
	       before->frame[i] == p->frame[i])
		i++;
	return i;
}

/* The call paths that no block has told, as the journal has them. */
static void fill_journal(struct fix_bytes *journal)
{
	uint64_t n;

	for (n = g.sent; n < g.known; n++) {
		const struct path *p = path_by_number(n);
		int shared = shared_frames(p, n);
		struct wmw_path head = {
			.number = (uint32_t)n,
			.generation = g.generation,
			.depth = (uint32_t)p->depth,
			.shared = (uint32_t)shared,
		};

		fix_put(journal, &head, sizeof(head));
		fix_put(journal, p->frame + shared,
			(size_t)(p->depth - shared) * sizeof(*p->frame));
	}
}

static void put_slot(FILE *out, unsigned i, size_t records)
{
	const struct thread *t = &g.thread[i];
	struct wmw_slot slot = {
		.epoch = t->n ? 1 : 0,
		.thread = i,
		.tid = 1000 + i,
		.generation = g.generation,
		.first = t->done,
	};
	size_t j;

	fwrite(&slot, sizeof(slot), 1, out);
	put_padding(out, WMW_HEAD_LEAST - sizeof(slot));
	for (j = 0; j < t->n; j++) {
		const struct fix_event *e = &t->event[j];
		struct wmw_record r = {
			.time = e->time,
			.addr = e->addr,
			.size = e->size,
			.stack = (uint32_t)e->stack,
			.kind = e->kind | 1 << 8,
		};

		fwrite(&r, sizeof(r), 1, out);
	}
	put_padding(out, (records - t->n) * sizeof(struct wmw_record));
}

static size_t slot_records(void)
{
	size_t most = 1;
	unsigned i;

	for (i = 0; i < g.threads; i++)
		most = g.thread[i].n > most ? g.thread[i].n : most;
	return ROUND(most, 128);
}

void put_crash_buffer(const char *path)
{
	struct wmw_head head = {
		.version = g.crash_buffers,
		.pid = 100 + g.rank,
		.head_size = WMW_HEAD_LEAST,
		.record_size = sizeof(struct wmw_record),
		.slots = g.threads,
		.blocks = g.sequence,
		.dropped = g.dropped,
	};
	struct fix_bytes journal = { 0 };
	struct fix_bytes epochs = pages_log();
	size_t records = slot_records();
	FILE *out = fopen(path, "w");
	unsigned i;

	if (!out)
		fix_die("%s: cannot be written", path);
	if (records < epochs.n / sizeof(struct wmw_record) + 1)
		records = epochs.n / sizeof(struct wmw_record) + 1;
	head.epoch_bytes = epochs.n;
	if (epochs.n)
		head.epoch_slot = ++head.slots;
	fill_journal(&journal);
	memcpy(head.magic, WMW_MAGIC, WMW_MAGIC_SIZE);
	clocks(head.start, g.start);
	clocks(head.now[0], g.now);
	if (!g.boot || strcmp(g.boot, "-") != 0)
		snprintf((char *)head.boot_id, sizeof(head.boot_id), "%s%s",
			 g.boot ? "" : "boot-", g.boot ? g.boot : g.host);
	head.journal_size = (uint32_t)ROUND(journal.n + 1, 4096);
	head.journal = journal.n;
	head.slot_records = (uint32_t)records;
	head.slot_size = WMW_HEAD_LEAST + records * sizeof(struct wmw_record);
	fwrite(&head, sizeof(head), 1, out);
	put_padding(out, WMW_HEAD_LEAST - sizeof(head));
	fwrite(journal.p, 1, journal.n, out);
	put_padding(out, WMW_JOURNALS * head.journal_size - journal.n);
	for (i = 0; i < g.threads; i++)
		put_slot(out, i, records);
	if (epochs.n) {
		put_padding(out, WMW_HEAD_LEAST);
		fwrite(epochs.p, 1, epochs.n, out);
		put_padding(out,
			    records * sizeof(struct wmw_record) - epochs.n);
	}
	free(epochs.p);
	free(journal.p);
	if (fclose(out))
		fix_die("write error");
}
