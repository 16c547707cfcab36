/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/reader.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/lib/base/plain.h"
#include "analyze/lib/base/vec.h"
#include "analyze/lib/base/whole.h"
#include "analyze/lib/trace/read_accesses.h"
#include "analyze/lib/trace/read_epochs.h"
#include "analyze/lib/trace/path_tree.h"
#include "analyze/lib/trace/read_crash_buffer.h"
#include "analyze/lib/trace/read_fields.h"
#include "input/path.h"
#include "wm/search.h"
#include "wm/varint.h"

/* More names than the runtime sends (docs/trace-format.md, 5.6). */
#define MAX_NAMES (1u << 16)
#define MAX_NAME_BYTES (8u << 20) /* of a file */
/* The most frames of call paths, far more than in any file of that size. */
#define LEAST_NODES ((size_t)4 << 20)
#define NODES_A_BYTE 256
#define LEAST_BLOCKS (UINT64_C(1) << 20) /* of a file */

struct opening {
	struct wm_trace *t;
	const char *path;
	struct wm_stream s;
	uint64_t number;
	uint64_t offset;
	struct wm_path_tree tree;
	bool heads_only;
};

static enum wm_status take_dict(struct opening *w, const uint8_t *data,
				size_t size, struct wm_err *err)
{
	const struct wm_head *h = &w->s.head;
	struct wm_trace *t = w->t;
	uint64_t first = wm_head_uint(h, WMT_F_STACK_FIRST);
	uint64_t count = wm_head_uint(h, WMT_F_STACKS);
	const struct wm_path_tree_column c = {
		.data = data,
		.size = size,
		.generation = wm_head_uint(h, WMT_F_GENERATION),
		.paths = count,
		.first = wm_head_uint(h, WMT_F_FRAME_FIRST),
		.frames = wm_head_uint(h, WMT_F_FRAMES),
		.lossy = t->gaps != 0,
	};
	struct wm_generation *g;
	uint32_t index, *path = NULL;
	uint64_t known;
	enum wm_status r = wm_trace_generation(t, c.generation, &index, err);

	if (r)
		return r;
	g = &t->gen[index];
	known = wm_generation_end(g);
	if (count > size || first < known || (first > known && !c.lossy) ||
	    first >= WM_NO_PATH || first + count >= WM_NO_PATH)
		return wm_err_set(err, WM_BAD_INPUT,
				  "call paths %" PRIu64 " to %" PRIu64
				  " after %" PRIu64,
				  first, (first + count), known);
	if (count) {
		path = wm_generation_add(g, first, (size_t)count);
		if (!path)
			return wm_no_memory(err, NULL);
	}
	return wm_path_tree_read(&w->tree, &t->paths, &c, path, err);
}

static enum wm_status take_names(struct opening *w, const uint8_t *p,
				 const uint8_t *end, struct wm_err *err)
{
	uint64_t first = wm_head_uint(&w->s.head, WMT_F_NAME_FIRST), n;
	struct wm_trace *t = w->t;
	char **names;

	if (first <= t->name_count || first > MAX_NAMES ||
	    (first > t->name_count + 1 && !w->t->gaps))
		return wm_err_set(err, WM_BAD_INPUT,
				  "names from %" PRIu64 " after "
				  "%zu",
				  first, t->name_count);
	while (p < end) {
		names = WM_ROOM(t->names, t->name_cap, (size_t)first);
		if (!names)
			return wm_no_memory(err, NULL);
		while (t->name_count < first)
			names[t->name_count++] = NULL;
		p = wm_varint_get(p, end, &n);
		if (!p || n > (uint64_t)(end - p) || first++ > MAX_NAMES)
			return wm_malformed("NAMES", err);
		names[t->name_count - 1] = wm_plain((const char *)p, (size_t)n);
		if (!names[t->name_count - 1])
			return wm_no_memory(err, NULL);
		p += n;
	}
	return WM_OK;
}

static enum wm_status take_accesses(struct opening *w, const struct wm_head *h,
				    struct wm_err *err)
{
	enum wm_status r = wm_accesses_note(w->t, h, w->offset, w->s.next - 1,
					    w->number, err);

	return r ? r :
		   wm_trace_set_text(&w->t->access_only, h, WMT_F_ACCESS_ONLY,
				     err);
}

/* @sequence is the runtime's number, which also counts missing blocks. */
static enum wm_status take_sequence(struct opening *w, uint64_t sequence,
				    struct wm_err *err)
{
	if (sequence < w->number + w->t->gaps)
		return wm_err_set(err, WM_BAD_INPUT, "sequence number %" PRIu64,
				  sequence);
	w->t->gaps = sequence - w->number;
	return WM_OK;
}

/* Bounds the bytes of names, even if no caller needs the names. */
static enum wm_status count_names(struct wm_trace *t, uint64_t bytes,
				  struct wm_err *err)
{
	if (bytes > MAX_NAME_BYTES - t->name_bytes)
		return wm_err_set(err, WM_BAD_INPUT,
				  "names of %" PRIu64 " bytes: "
				  "more than a program can give",
				  (t->name_bytes + bytes));
	t->name_bytes += bytes;
	return WM_OK;
}

static enum wm_status take_column(struct opening *w, enum wmt_column id,
				  const struct wm_column *c, struct wm_err *err)
{
	size_t size = (size_t)(c->end - c->p);

	switch (id) {
	case WMT_COL_NAMES:
		return take_names(w, c->p, c->end, err);
	case WMT_COL_MODULES:
		return wm_paths_map(&w->t->paths, &w->t->exe, c->p, size, err);
	default:
		return take_dict(w, c->p, size, err);
	}
}

/* Takes MODULES before DICT, as frames in DICT may be in a new module. */
static enum wm_status take_columns(struct opening *w, struct wm_err *err)
{
	static const enum wmt_column wanted[] = { WMT_COL_NAMES,
						  WMT_COL_MODULES,
						  WMT_COL_DICT };
	const struct wm_head *h = &w->s.head;
	enum wm_status r = WM_OK;
	struct wm_column c;

	for (size_t i = 0; i < h->columns && !r; i++)
		if (h->column[i].id == WMT_COL_NAMES)
			r = count_names(w->t, h->column[i].size, err);
	for (size_t i = 0; i < 3 && !r && (!w->heads_only || w->number == 0);
	     i++) {
		r = wm_stream_find(&w->s, wanted[i], &c, err);
		if (!r && c.p)
			r = take_column(w, wanted[i], &c, err);
	}
	return r;
}

static enum wm_status take_events(struct opening *w, struct wm_err *err)
{
	const struct wm_head *h = &w->s.head;
	struct wm_trace *t = w->t;
	uint64_t shift = wm_head_uint(h, WMT_F_TIME_SHIFT);
	uint64_t events = wm_head_uint(h, WMT_F_EVENTS);
	uint64_t thread = wm_head_uint(h, WMT_F_THREAD);
	uint64_t first = wm_head_uint(h, WMT_F_TIME_FIRST);
	uint64_t last = wm_head_uint(h, WMT_F_TIME_LAST);
	struct wm_event_block b;
	enum wm_status r;

	if (events > WMT_MAX_BLOCK_EVENTS)
		return wm_err_set(err, WM_BAD_INPUT, "%" PRIu64 " events",
				  events);
	if (thread >= UINT32_MAX || shift > 40 || last < first ||
	    last > UINT64_MAX >> shift)
		return wm_err_set(err, WM_BAD_INPUT,
				  "thread %" PRIu64 ", time %" PRIu64
				  " to %" PRIu64 " << %" PRIu64,
				  thread, first, last, shift);
	if (w->heads_only)
		return WM_OK;
	b = (struct wm_event_block){
		.offset = w->offset,
		.size = (w->s.end - w->offset) / w->s.blocks,
		.first = first << shift,
		.number = (uint32_t)w->number,
		.events = (uint32_t)events,
		.thread = (uint32_t)thread,
		.event_first = wm_head_uint(h, WMT_F_EVENT_FIRST),
		.tid = (uint32_t)wm_head_uint(h, WMT_F_TID),
		.part = (uint16_t)(w->s.next - 1),
		.joined = w->s.joined,
		.at = wm_head_uint(h, WMT_F_THREAD_AT),
	};
	r = wm_trace_generation(t, wm_head_uint(h, WMT_F_GENERATION),
				&b.generation, err);
	if (!r && !WM_APPEND(t->blocks, t->block_cap, t->block_count, b))
		r = wm_no_memory(err, NULL);
	wm_raise(&t->latest, last << shift);
	wm_raise(&t->max_shift, shift);
	return r;
}

/* Notes the places of the block's epochs, which read_epochs.c reads later. */
static enum wm_status take_pages(struct opening *w, struct wm_err *err)
{
	const struct wm_head_field *now = &w->s.head.field[WMT_F_NOW];
	struct wm_page_block b = {
		.offset = w->offset,
		.part = w->s.next - 1,
		.first = wm_head_uint(&w->s.head, WMT_F_EPOCH_FIRST),
		.epochs = wm_head_uint(&w->s.head, WMT_F_EPOCHS),
		.number = (uint32_t)w->number,
	};

	for (size_t i = 0; i < w->s.head.columns; i++)
		w->t->samples |= w->s.head.column[i].id == WMT_COL_SAMPLES;
	if (now->v[1] > w->t->start.mono_ns)
		b.now_ns = now->v[1] - w->t->start.mono_ns;
	return wm_epochs_note(w->t, &w->s.head, &b, err);
}

static enum wm_status walk_block(struct opening *w, struct wm_err *err)
{
	struct wm_trace *t = w->t;
	const struct wm_head *h = &w->s.head;
	enum wm_status r = WM_OK;

	if (w->number == 0 && h->type != WMT_BLOCK_START)
		return wm_err_set(err, WM_BAD_INPUT,
				  "not the beginning of a trace");
	if (w->number != 0 && h->type == WMT_BLOCK_START)
		return wm_err_set(err, WM_BAD_INPUT, "a second trace begins");
	if (t->ended)
		return wm_err_set(err, WM_BAD_INPUT, "data after the end");
	if (w->number >= LEAST_BLOCKS + t->src.size / 4)
		return wm_err_set(err, WM_BAD_INPUT, "too many blocks");
	/* other fields may need the call paths of the columns */
	if (h->type == WMT_BLOCK_START)
		r = wm_trace_take_start(t, h, err);
	if (!r)
		r = take_sequence(w, wm_head_uint(h, WMT_F_SEQUENCE), err);
	if (!r)
		r = take_columns(w, err);
	if (!r && h->type == WMT_BLOCK_EVENTS)
		r = take_events(w, err);
	else if (!r && h->type == WMT_BLOCK_STACKS && !w->heads_only)
		r = wm_refused_note(t, h, err);
	else if (!r && h->type == WMT_BLOCK_END)
		r = wm_trace_take_end(t, h, err);
	else if (!r && h->type == WMT_BLOCK_PAGES)
		r = take_pages(w, err);
	else if (!r && h->type == WMT_BLOCK_ACCESSES)
		r = take_accesses(w, h, err);
	return r ? r : wm_trace_take_common(t, h, err);
}

static enum wm_status walk_stream(struct opening *w, uint64_t limit,
				  struct wm_err *err)
{
	enum wm_status r = wm_stream_open(&w->s, &w->t->src, w->offset, err);

	w->t->repacked |= !r && w->s.joined;
	while (!r && w->number < limit) {
		r = wm_stream_next(&w->s, err);
		if (!r)
			r = walk_block(w, err);
		if (r)
			break;
		w->number++;
		if (w->s.next == w->s.blocks) {
			w->offset = w->s.end;
			break;
		}
	}
	return r;
}

static bool has_trace_name(const char *path)
{
	const char *base = wm_basename(path);

	return strncmp(base, WMT_FILE_PREFIX, strlen(WMT_FILE_PREFIX)) == 0 &&
	       strstr(base, WMT_FILE_SUFFIX);
}

/* Reports that nothing in the file can be read. */
static enum wm_status no_trace(const struct opening *w, enum wm_status r,
			       const char *why, struct wm_err *err)
{
	if (r != WM_BAD_INPUT || !wm_stream_is_foreign(&w->s))
		return wm_err_set(err, r, "%s: %.300s", w->t->name, why);
	return wm_err_set(
		err, r, "%s: not a wmtools trace (%.100s)%s", w->t->name, why,
		has_trace_name(w->path) ?
			"" :
			"; name a run directory PROGRAM.ID.wm, or a file " WMT_FILE_PREFIX
			"NNNNNN" WMT_FILE_SUFFIX " of one");
}

/* Walks to the end of the file or of its readable part. */
static enum wm_status walk_file(struct opening *w, uint64_t limit,
				struct wm_err *err)
{
	struct wm_trace *t = w->t;
	struct wm_err why = { "" };
	enum wm_status r;

	while (w->offset < t->src.size && w->number < limit) {
		r = walk_stream(w, limit, &why);
		if (r == WM_NO_MEMORY || (r && w->number == 0))
			return no_trace(w, r, why.text, err);
		if (r) {
			wm_trace_blame(t, w->number, w->offset, r, why.text,
				       &t->damage);
			break;
		}
	}
	t->read_bytes = w->offset;
	return WM_OK;
}

static int by_thread(const void *a, const void *b)
{
	const struct wm_event_block *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->thread, y->thread),
		       WM_ORDER(x->number, y->number));
}

static enum wm_status group_threads(struct wm_trace *t, struct wm_err *err)
{
	wm_accesses_sort(t);
	wm_refused_sort(t);
	WM_SORT(t->blocks, t->block_count, by_thread);
	t->thread_count = 0;
	for (size_t i = 0; i < t->block_count; i++) {
		if (i && t->blocks[i].thread == t->blocks[i - 1].thread) {
			t->threads[t->thread_count - 1].count++;
			wm_trace_raise_back(&t->ticks_back,
					    t->blocks[i - 1].first,
					    t->blocks[i].first);
			continue;
		}
		if (!WM_APPEND(t->threads, t->thread_cap, t->thread_count,
			       (struct wm_trace_thread){
				       t->blocks[i].thread, (uint32_t)i, 1,
				       t->blocks[i].tid, t->blocks[i].at }))
			return wm_no_memory(err, NULL);
	}
	return WM_OK;
}

/* Takes an empty file: the process ended, or the disk was full, before the
 * first block was written.  Its events may be in the crash buffer.  The runtime
 * makes no files with other names. */
static enum wm_status take_empty(struct wm_trace *t, const char *path,
				 struct wm_err *err)
{
	if (!has_trace_name(path))
		return wm_err_set(err, WM_BAD_INPUT, "empty file");
	t->crash_buffer_path = strdup("");
	if (!t->crash_buffer_path)
		return wm_no_memory(err, NULL);
	t->unborn = true;
	wm_err_set(&t->damage, WM_BAD_INPUT,
		   "%s: empty: the process ended "
		   "before it could write its first block",
		   t->name);
	return WM_OK;
}

static enum wm_status open_and_walk(struct opening *w, const char *name,
				    uint64_t limit, struct wm_err *err)
{
	struct wm_trace *t = w->t;
	struct wm_err why;
	enum wm_status r;

	memset(t, 0, sizeof(*t));
	t->exit_status = WM_NO_STATUS;
	t->src.fd = -1;
	t->name = strdup(name);
	t->exe.path = strdup("");
	if (!t->name || !t->exe.path) {
		r = wm_no_memory(err, NULL);
		goto out;
	}
	r = wm_source_open(&t->src, w->path, &why);
	if (!r && t->src.size == 0)
		r = take_empty(t, w->path, &why);
	if (r) {
		wm_err_set(err, r, "%s: %.300s", name, why.text);
		goto out;
	}
	r = wm_paths_init(&t->paths, err);
	t->paths.node_limit = LEAST_NODES + NODES_A_BYTE * (size_t)t->src.size;
	if (!r)
		r = walk_file(w, limit, err);
	if (!r)
		r = group_threads(t, err);
	t->end_ticks = t->last.ticks;
	wm_source_forget(&t->src);
out:
	wm_path_tree_release(&w->tree);
	wm_stream_release(&w->s);
	if (r)
		wm_trace_release(t);
	return r;
}

enum wm_status wm_trace_open_heads(struct wm_trace *t, const char *path,
				   const char *name, struct wm_err *err)
{
	struct opening w = { .t = t, .path = path, .heads_only = true };

	return open_and_walk(&w, name, WM_ALL_BLOCKS, err);
}

enum wm_status wm_trace_open_alone(struct wm_trace *t, const char *path,
				   const char *name, uint64_t limit,
				   const struct wm_err *damage,
				   uint64_t *blocks, struct wm_err *err)
{
	struct opening w = { .t = t, .path = path };
	enum wm_status r = open_and_walk(&w, name, limit, err);

	if (!r && damage)
		t->damage = *damage;
	*blocks = w.number + t->gaps;
	return r;
}

enum wm_status wm_trace_open(struct wm_trace *t, const char *path,
			     const char *name, uint64_t limit,
			     const struct wm_err *damage, struct wm_err *err)
{
	uint64_t blocks;
	enum wm_status r = wm_trace_open_alone(t, path, name, limit, damage,
					       &blocks, err);

	if (r)
		return r;
	if (!t->ended)
		r = wm_crash_buffer_read(t, path, blocks, err);
	/* the footprint is from the last block, not from the end */
	if (t->crash_buffer_events)
		t->footprint = t->footprint_peak = 0;
	if (!r && t->crash_buffer_events)
		r = group_threads(t, err);
	if (r)
		wm_trace_release(t);
	return r;
}

void wm_trace_release(struct wm_trace *t)
{
	void *const owned[] = {
		t->names,	  t->gen,
		t->blocks,	  t->page_blocks,
		t->access_blocks, t->pages_end,
		t->page_memory,	  t->threads,
		t->refused,	  t->crash_buffer_path,
		t->name,	  t->run_id,
		t->program,	  t->host,
		t->boot_id,	  t->access_only,
		t->traced_ranks,  t->exe.path,
		t->exe.build_id,  t->end_reason,
		t->drop_reason,	  t->unseen_libraries,
		t->overwritten,
	};

	for (size_t i = 0; i < t->gen_count; i++)
		wm_generation_release(&t->gen[i]);
	for (size_t i = 0; i < t->name_count; i++)
		free(t->names[i]);
	wm_index_release(&t->gen_index);
	wm_memory_blocks_free(t->memory);
	wm_paths_release(&t->paths);
	wm_source_release(&t->src);
	wm_origin_release(&t->origin);
	wm_usage_release(&t->usage);
	for (size_t i = 0; i < sizeof(owned) / sizeof(*owned); i++)
		free(owned[i]);
	memset(t, 0, sizeof(*t));
	t->src.fd = -1;
}
