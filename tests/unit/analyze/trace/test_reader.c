/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader on traces of the test encoder: what comes out is what went in,
 * and no byte of it can be wrong unnoticed.
 */
#include "analyze/lib/trace/reader.h"
#include "analyze/lib/trace/source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/lib/trace/decode.h"
#include "tests/tools/fixture.h"
#include "tests/unit/tap.h"

/* With a column of a later version, which no reader decodes. */
static int future;
static char path[] = "/tmp/wm-reader.XXXXXX";
static const struct fix_event events[] = {
	{ WMT_EV_MALLOC, 1000, 0x10000, 10, 0 },
	{ WMT_EV_MALLOC, 1000, 0x10020, 300, 1 },
	{ WMT_EV_REALLOC_OUT, 1000, 0x10000, 0, 0 },
	{ WMT_EV_REALLOC_IN, 1064, 0x7fff00000008, 1ull << 49, 1 },
	{ WMT_EV_FAILED, 5000, 0, UINT64_MAX, 0 },
	{ WMT_EV_FREE, 1u << 30, 0x7fff00000008, 0, 0 },
	{ WMT_EV_FREE, 1u << 30, 0x10020, 0, 0 },
};
#define EVENTS (sizeof(events) / sizeof(*events))

static void common(struct fix_block *b, uint64_t sequence)
{
	uint64_t now[3] = { 2000000, 3000000000u, 1700000000000000000u };

	fix_field_uint(b, WMT_F_SEQUENCE, sequence);
	fix_field_triple(b, WMT_F_NOW, now);
	fix_field_uint(b, WMT_F_DROPPED, sequence);
	/* a field of a later version */
	fix_field_text(b, 500, "future");
}

static void write_start(FILE *out, int level)
{
	uint64_t start[3] = { 1000, 2000000000u, 1699999999000000000u };
	struct fix_block b = { .type = WMT_BLOCK_START };

	fix_field_text(&b, WMT_F_RUN_ID, "77");
	fix_field_text(&b, WMT_F_PROGRAM, "app");
	fix_field_text(&b, WMT_F_EXE, "/bin/app.wm");
	fix_field_text(&b, WMT_F_HOST, "node");
	fix_field_uint(&b, WMT_F_PID, 42);
	fix_field_bytes(&b, WMT_F_BUILD_ID, "\1\2\3", 3);
	fix_field_uint(&b, WMT_F_CLOCK, WMT_CLOCK_TSC);
	fix_field_triple(&b, WMT_F_START_TIME, start);
	fix_field_uint(&b, WMT_F_RANK, 0);
	common(&b, 0);
	fix_block_write(&b, level, out);
}

static void write_events(FILE *out, int level)
{
	struct fix_block b = { .type = WMT_BLOCK_EVENTS };
	struct fix_bytes *dict = &b.column[WMT_COL_DICT];

	fix_field_uint(&b, WMT_F_THREAD, 3);
	fix_field_uint(&b, WMT_F_GENERATION, 9);
	fix_field_uint(&b, WMT_F_STACK_FIRST, 0);
	fix_field_uint(&b, WMT_F_STACKS, 2);
	fix_field_uint(&b, WMT_F_FRAME_FIRST, 0);
	fix_field_uint(&b, WMT_F_FRAMES, 3);
	fix_field_uint(&b, WMT_F_RANK, 5);
	fix_varint(dict, 0);
	fix_varint(dict, 2);
	fix_zigzag(dict, 0x401000);
	fix_zigzag(dict, -0x1000);
	fix_varint(dict, 2);
	fix_varint(dict, 1);
	fix_zigzag(dict, 0x10);
	fix_events(&b, events, EVENTS, 4);
	if (future)
		fix_put(&b.column[WMT_COL_LIMIT], "columns", 7);
	common(&b, 1);
	fix_block_write(&b, level, out);
}

static void write_end(FILE *out, int level)
{
	struct fix_block b = { .type = WMT_BLOCK_END };

	fix_field_text(&b, WMT_F_END_REASON, "exit");
	fix_field_uint(&b, WMT_F_EVENTS_TOTAL, EVENTS);
	fix_field_uint(&b, WMT_F_TOOL_MEMORY, 4096);
	common(&b, 2);
	fix_block_write(&b, level, out);
}

static void write_trace(int level)
{
	FILE *out = fopen(path, "w");

	write_start(out, level);
	write_events(out, level);
	write_end(out, level);
	fclose(out);
}

static void check_start(const struct wm_trace *t)
{
	ok(!strcmp(t->run_id, "77") && !strcmp(t->program, "app") &&
		   !strcmp(t->exe.path, "/bin/app.wm") &&
		   !strcmp(t->host, "node"),
	   "texts");
	ok(t->pid == 42 && t->clock == WMT_CLOCK_TSC, "numbers");
	ok(t->exe.build_id_size == 3 && !memcmp(t->exe.build_id, "\1\2\3", 3),
	   "build-id");
	ok(t->rank == 5 && !t->ranks && t->corrected,
	   "a later block corrects the rank");
	ok(t->ended && !strcmp(t->end_reason, "exit") &&
		   t->events_total == EVENTS && t->tool.memory == 4096,
	   "END");
	ok(t->dropped == 2 && !t->gaps && !t->damage.text[0], "state");
	ok(t->thread_count == 1 && t->threads[0].number == 3 &&
		   t->block_count == 1 && t->blocks[0].events == EVENTS,
	   "threads");
	ok(wm_trace_seconds(t, 1000) == 0 && wm_trace_seconds(t, 10) == 0,
	   "time begins at the start");
	ok(wm_trace_seconds(t, 2000000) > 0.999999 &&
		   wm_trace_seconds(t, 2000000) < 1.000001,
	   "time by the clocks");
}

static void check_paths(const struct wm_paths *p)
{
	const struct wm_path_node *a, *b;

	ok(p->path_count == 3, "two paths and the empty one");
	a = &p->nodes[p->leaf[1]];
	b = &p->nodes[p->leaf[2]];
	ok(a->offset == 0x400000 && b->offset == 0x401010 &&
		   a->parent == b->parent,
	   "paths share their outer frame");
}

static void check_events(const struct wm_trace *t)
{
	struct wm_event_data d;
	struct wm_cursor c;
	struct wm_slice s;
	struct wm_err err = { "" };
	int good = 1;
	size_t i;

	wm_event_data_init(&d, t);
	ok(wm_trace_load(t, &t->blocks[0], &d, &err) == WM_OK, "load: %s",
	   err.text);
	ok(wm_cursor_init(&c, t, &t->blocks[0], &d, &err) == WM_OK &&
		   wm_cursor_next(&c, &s, &err) == WM_OK,
	   "decode: %s", err.text);
	ok(s.events == EVENTS && s.stacks == 4 && s.news == 3 && s.olds == 3,
	   "operands");
	for (i = 0; i < EVENTS; i++)
		good &= s.kind[i] == events[i].kind &&
			s.time[i] == events[i].time >> 4 << 4;
	ok(good, "kinds and times");
	ok(s.new_addr[0] == 0x10000 && s.new_addr[1] == 0x10020 &&
		   s.new_addr[2] == 0x7fff00000008 &&
		   s.old_addr[0] == 0x10000 &&
		   s.old_addr[1] == 0x7fff00000008 && s.old_addr[2] == 0x10020,
	   "addresses");
	ok(s.size[0] == 10 && s.size[1] == 300 && s.size[2] == 1ull << 49 &&
		   s.size[3] == UINT64_MAX,
	   "sizes");
	ok(s.path[0] == 1 && s.path[1] == 2 && s.path[2] == 2, "paths");
	ok(wm_cursor_next(&c, &s, &err) == WM_END, "the block is sound");
	wm_event_data_release(&d);
}

/* Everything the trace holds, as one number. */
static uint64_t digest(const struct wm_trace *t)
{
	uint64_t h = t->rank * 31 + t->pid + t->events_total;
	struct wm_event_data d;
	struct wm_cursor c;
	struct wm_slice s;
	size_t i, j;

	for (i = 0; i < t->block_count; i++) {
		wm_event_data_init(&d, t);
		if (wm_trace_load(t, &t->blocks[i], &d, NULL) == WM_OK &&
		    wm_cursor_init(&c, t, &t->blocks[i], &d, NULL) == WM_OK)
			while (wm_cursor_next(&c, &s, NULL) == WM_OK)
				for (j = 0; j < s.events; j++)
					h = h * 31 + s.kind[j] + s.time[j];
		wm_event_data_release(&d);
	}
	return h;
}

/* Flip each bit of the file: an error, or fewer blocks, or no difference. */
static void check_flips(uint8_t *data, size_t size, uint64_t good)
{
	size_t bit, silent = 0;
	struct wm_trace t;

	for (bit = 0; bit < size * 8; bit++) {
		FILE *f = fopen(path, "w");

		data[bit / 8] ^= (uint8_t)(1u << bit % 8);
		fwrite(data, 1, size, f);
		fclose(f);
		data[bit / 8] ^= (uint8_t)(1u << bit % 8);
		if (wm_trace_open(&t, path, "t", WM_ALL_BLOCKS, NULL, NULL))
			continue;
		silent += t.ended && !t.damage.text[0] && digest(&t) == good;
		if (t.ended && !t.damage.text[0] && digest(&t) != good) {
			struct wm_event_data d;

			/* the columns' check has to see it */
			wm_event_data_init(&d, &t);
			silent += wm_trace_load(&t, &t.blocks[0], &d, NULL) ==
				  WM_OK;
			wm_event_data_release(&d);
		}
		wm_trace_release(&t);
	}
	ok(size && silent == 0, "each of %zu bits is watched (%zu are not)",
	   size * 8, silent);
}

static void check_level(int level)
{
	struct wm_trace t;
	struct wm_err err = { "" };
	uint8_t *data = malloc(65536);
	uint64_t good;
	size_t size;
	FILE *f;

	printf("# level %d\n", level);
	future = 1;
	write_trace(level);
	ok(wm_trace_open(&t, path, "t", WM_ALL_BLOCKS, NULL, &err) == WM_OK,
	   "open: %s", err.text);
	check_start(&t);
	check_paths(&t.paths);
	check_events(&t);
	good = digest(&t);
	wm_trace_release(&t);
	ok(wm_trace_open(&t, path, "t", 1, NULL, &err) == WM_OK &&
		   !t.block_count && !t.ended,
	   "a limit to the blocks");
	wm_trace_release(&t);
	ok(wm_trace_open_heads(&t, path, "t", &err) == WM_OK && t.ended &&
		   t.rank == 5 && t.pid == 42 && !strcmp(t.run_id, "77") &&
		   wm_trace_seconds(&t, t.end_ticks) > 0.999999,
	   "heads alone tell whose trace it is");
	ok(!t.block_count && t.paths.path_count == 1 && !t.damage.text[0],
	   "and nothing of its events");
	wm_trace_release(&t);
	future = 0;
	write_trace(level);
	f = fopen(path, "r");
	size = fread(data, 1, 65536, f);
	fclose(f);
	ok(wm_trace_open(&t, path, "t", WM_ALL_BLOCKS, NULL, &err) == WM_OK &&
		   t.ended && !t.damage.text[0] && digest(&t) == good,
	   "the same events before anything is changed");
	wm_trace_release(&t);
	check_flips(data, size, good);
	free(data);
}

/* Callers compare and add to what they get, also where there is nothing. */
static void check_empty(void)
{
	struct wm_source s = WM_SOURCE_INIT;
	const uint8_t *p = NULL;

	ok(!wm_source_open(&s, path, NULL) &&
		   !wm_source_view(&s, 0, 0, &p, NULL) && p,
	   "no bytes of an empty file are somewhere");
	wm_source_release(&s);
}

int main(void)
{
	int fd = mkstemp(path);
	struct wm_trace t;
	struct wm_err err;

	tap_plan(52);
	close(fd);
	check_empty();
	check_level(-1);
	check_level(6);
	unlink(path);
	ok(wm_trace_open(&t, path, "t", WM_ALL_BLOCKS, NULL, &err) == WM_IO,
	   "no file: %s", err.text);
	return tap_done();
}
