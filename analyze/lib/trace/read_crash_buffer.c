/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/read_crash_buffer.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/lib/base/plain.h"
#include "analyze/lib/base/vec.h"
#include "analyze/lib/base/whole.h"
#include "analyze/lib/trace/decode.h"
#include "wm/search.h"
#include "wm/window_format.h"

#define MAX_SLOTS (1u << 17)
#define MAX_RECORDS (1u << 18) /* of a slot */
#define MAX_SLOT_SIZE (1u << 30)
#define MAX_JOURNAL_SIZE (1u << 28)
#define MAX_EPOCH_BYTES (1u << 24)

struct crash_buffer {
	struct wm_trace *t;
	struct wm_source src;
	uint8_t head[sizeof(struct wmw_head)];
	uint32_t slots, slot_records, journal_size;
	uint64_t head_size, slot_size, dropped;
	/* found so far; moved to the trace at the end */
	struct wm_event_block *blocks;
	size_t block_count, block_cap;
	struct wm_memory_block *memory;
	uint64_t events, pathless, end_ticks;
};

static uint64_t get_le(const uint8_t *p, size_t n)
{
	uint64_t v = 0;

	while (n--)
		v = v << 8 | p[n];
	return v;
}

#define GET(p, type, field)                                                    \
	get_le((p) + offsetof(struct type, field),                             \
	       sizeof(((struct type *)0)->field))
#define HEAD(w, field) GET((w)->head, wmw_head, field)

/* Returns the clocks at @offset in the head. */
static struct wm_clocks get_clocks(const struct crash_buffer *w, size_t offset)
{
	const uint8_t *p = w->head + offset;

	return (struct wm_clocks){ get_le(p, 8), get_le(p + 8, 8),
				   get_le(p + 16, 8) };
}

static enum wm_status bad_crash_buffer(struct wm_err *err, const char *what,
				       uint64_t v)
{
	return wm_err_set(err, WM_BAD_INPUT, "%s %" PRIu64, what, v);
}

void wm_memory_blocks_free(struct wm_memory_block *b)
{
	while (b) {
		struct wm_memory_block *next = b->next;

		free(b);
		b = next;
	}
}

/* Takes the owner from the crash buffer, as the trace has no START. */
static enum wm_status take_owner(const struct crash_buffer *w,
				 struct wm_err *err)
{
	struct wm_trace *t = w->t;
	const char *boot = (const char *)w->head +
			   offsetof(struct wmw_head, boot_id);
	size_t room = sizeof(((struct wmw_head *)0)->boot_id);

	t->pid = HEAD(w, pid);
	t->start = t->last = get_clocks(w, offsetof(struct wmw_head, start));
	t->boot_id = wm_plain(boot, strnlen(boot, room));
	return t->boot_id ? WM_OK : wm_no_memory(err, NULL);
}

static enum wm_status check_owner(const struct crash_buffer *w,
				  struct wm_err *err)
{
	const struct wm_trace *t = w->t;
	const uint8_t *boot = w->head + offsetof(struct wmw_head, boot_id);
	struct wm_clocks start = get_clocks(w,
					    offsetof(struct wmw_head, start));
	size_t room = sizeof(((struct wmw_head *)0)->boot_id);
	const char *id = t->boot_id ? t->boot_id : "";

	if (HEAD(w, pid) != t->pid ||
	    memcmp(&start, &t->start, sizeof(start)) != 0 ||
	    strncmp((const char *)boot, id, room) != 0)
		return wm_err_set(err, WM_BAD_INPUT,
				  "belongs to another process");
	return WM_OK;
}

static enum wm_status check_sizes(struct crash_buffer *w, struct wm_err *err)
{
	w->head_size = HEAD(w, head_size);
	w->slots = (uint32_t)HEAD(w, slots);
	w->slot_records = (uint32_t)HEAD(w, slot_records);
	w->journal_size = (uint32_t)HEAD(w, journal_size);
	w->slot_size = HEAD(w, slot_size);
	w->dropped = HEAD(w, dropped);
	if (HEAD(w, record_size) != sizeof(struct wmw_record))
		return bad_crash_buffer(err, "record size",
					HEAD(w, record_size));
	if (w->head_size < WMW_HEAD_LEAST || w->head_size > WMW_HEAD_MOST ||
	    w->head_size & (w->head_size - 1))
		return bad_crash_buffer(err, "head size", w->head_size);
	if (w->slot_size > MAX_SLOT_SIZE || w->slot_records > MAX_RECORDS ||
	    w->head_size + (uint64_t)w->slot_records *
				    sizeof(struct wmw_record) >
		    w->slot_size)
		return bad_crash_buffer(err, "slot size", w->slot_size);
	if (w->slots > MAX_SLOTS)
		return bad_crash_buffer(err, "slots:", w->slots);
	if (w->journal_size > MAX_JOURNAL_SIZE)
		return bad_crash_buffer(err, "journal size", w->journal_size);
	if (WMW_SLOT_AT(w, w->slots) > w->src.size)
		return wm_err_set(err, WM_BAD_INPUT,
				  "cut off: %" PRIu64 " bytes, not %" PRIu64,
				  w->src.size, WMW_SLOT_AT(w, w->slots));
	if (HEAD(w, now_at) > 1)
		return bad_crash_buffer(err, "clocks", HEAD(w, now_at));
	if (HEAD(w, journal) >> 32 >= WMW_JOURNALS ||
	    (HEAD(w, journal) & UINT32_MAX) > w->journal_size)
		return bad_crash_buffer(err, "journal", HEAD(w, journal));
	return WM_OK;
}

static enum wm_status read_head(struct crash_buffer *w, uint64_t blocks,
				struct wm_err *err)
{
	const uint8_t *p;
	enum wm_status r = wm_source_view(&w->src, 0, sizeof(w->head), &p, err);

	if (r)
		return r;
	memcpy(w->head, p, sizeof(w->head));
	if (memcmp(w->head, WMW_MAGIC, WMW_MAGIC_SIZE) != 0)
		return wm_err_set(err, WM_BAD_INPUT, "not a window");
	if (HEAD(w, version) != WMW_VERSION)
		return wm_err_set(err, WM_BAD_INPUT,
				  "version %" PRIu64 ", this reader knows %d: "
				  "use the wm-analyze of the wmtools that "
				  "traced it, or a newer one",
				  HEAD(w, version), WMW_VERSION);
	r = w->t->unborn ? take_owner(w, err) : check_owner(w, err);
	if (!r)
		r = check_sizes(w, err);
	if (!r && HEAD(w, blocks) > blocks)
		r = wm_err_set(err, WM_BAD_INPUT,
			       "the trace lacks blocks: %" PRIu64
			       " were written, %" PRIu64 " can be read",
			       HEAD(w, blocks), blocks);
	return r;
}

static enum wm_status take_path(struct crash_buffer *w, const uint8_t *entry,
				size_t frames, struct wm_err *err)
{
	uint64_t shared = GET(entry, wmw_path, shared);
	uint32_t base = 0;
	uint64_t number = GET(entry, wmw_path, number);
	struct wm_generation *g;
	uint32_t index, *path;
	enum wm_status r = wm_trace_generation(w->t,
					       GET(entry, wmw_path, generation),
					       &index, err);

	if (r)
		return r;
	g = &w->t->gen[index];
	if (number < wm_generation_end(g))
		return WM_OK; /* it is in the trace */
	/* paths that were too long for the journal leave gaps */
	if (number >= WM_NO_PATH - 1)
		return bad_crash_buffer(err, "call path", number);
	if (shared) {
		base = number ? wm_generation_find(g, number - 1) : WM_NO_PATH;
		if (base == WM_NO_PATH)
			return bad_crash_buffer(err,
						"frames of no call path in",
						number);
	}
	path = wm_generation_add(g, number, 1);
	return path ? wm_paths_branch(&w->t->paths, base, shared,
				      entry + sizeof(struct wmw_path), frames,
				      path, err) :
		      wm_no_memory(err, NULL);
}

static enum wm_status read_journal(struct crash_buffer *w, struct wm_err *err)
{
	uint64_t journal = HEAD(w, journal);
	size_t used = (size_t)(journal & UINT32_MAX), at = 0;
	const size_t entry = sizeof(struct wmw_path);
	const uint8_t *p;
	enum wm_status r = wm_source_view(&w->src,
					  WMW_JOURNAL_AT(w, journal >> 32),
					  used, &p, err);

	while (!r && at < used) {
		uint64_t frames, shared;

		if (used - at < entry)
			return bad_crash_buffer(err, "malformed journal at",
						at);
		frames = GET(p + at, wmw_path, depth);
		shared = GET(p + at, wmw_path, shared);
		if (shared > frames ||
		    frames - shared > (used - at - entry) / 8)
			return bad_crash_buffer(err, "malformed journal at",
						at);
		frames -= shared;
		r = take_path(w, p + at, (size_t)frames, err);
		at += entry + 8 * (size_t)frames;
	}
	return r;
}

/* Returns how many records, from the first on, belong to @epoch. */
static uint32_t count_records(const struct crash_buffer *w, const uint8_t *rec,
			      uint64_t epoch)
{
	uint32_t n = 0;

	while (n < w->slot_records &&
	       GET(rec + n * sizeof(struct wmw_record), wmw_record, kind) >>
			       8 ==
		       epoch)
		n++;
	return n;
}

static enum wm_status check_record(struct crash_buffer *w, const uint8_t *rec,
				   const struct wm_generation *g,
				   struct wm_err *err)
{
	uint8_t kind = GET(rec, wmw_record, kind) & 0xff;
	uint64_t addr = GET(rec, wmw_record, addr);
	uint64_t size = GET(rec, wmw_record, size);
	uint64_t stack = GET(rec, wmw_record, stack);
	const struct wm_operands *o;

	if (kind >= WMT_EV_LIMIT || !wm_operands[kind].known)
		return bad_crash_buffer(err, "an event of kind", kind);
	o = &wm_operands[kind];
	if ((o->fresh || o->old) && (addr == 0 || addr >= WMT_HANDLE_LIMIT))
		return bad_crash_buffer(err, "an event at address", addr);
	if (!o->stack)
		return WM_OK;
	if (size >= WM_MAX_BYTES && kind != WMT_EV_FAILED)
		return bad_crash_buffer(err, "an allocation of bytes:", size);
	w->pathless += wm_generation_find(g, stack) == WM_NO_PATH;
	return WM_OK;
}

/* If a clock is set back, a time before @last counts as @last. */
static void take_record(struct wm_event *e, const uint8_t *rec, uint64_t last)
{
	const struct wm_operands *o;
	uint64_t time = GET(rec, wmw_record, time);

	*e = (struct wm_event){ .kind = GET(rec, wmw_record, kind) & 0xff,
				.time = time > last ? time : last };
	o = &wm_operands[e->kind];
	if (o->fresh || o->old)
		e->addr = GET(rec, wmw_record, addr);
	if (o->stack || o->extra)
		e->size = GET(rec, wmw_record, size);
	if (o->stack)
		e->path = (uint32_t)GET(rec, wmw_record, stack);
}

/* Returns the number behind the last event of @thread in the trace. */
static uint64_t events_covered(const struct wm_trace *t, uint32_t thread)
{
	size_t at = WM_FIRST(i, t->thread_count,
			     t->threads[i].number >= thread);
	const struct wm_event_block *b;

	if (at == t->thread_count || t->threads[at].number != thread)
		return 0;
	b = &t->blocks[t->threads[at].first + t->threads[at].count - 1];
	return b->event_first + b->events;
}

static enum wm_status add_block(struct crash_buffer *w, const uint8_t *rec,
				uint32_t n, uint32_t thread, uint32_t tid,
				uint32_t generation, uint64_t first,
				struct wm_err *err)
{
	struct wm_memory_block *m;
	struct wm_event_block *b;
	uint64_t last = 0;

	b = WM_ROOM(w->blocks, w->block_cap, w->block_count + 1);
	m = malloc(sizeof(*m) + n * sizeof(*m->event));
	if (!b || !m) {
		free(m);
		return wm_no_memory(err, NULL);
	}
	m->next = w->memory;
	w->memory = m;
	for (uint32_t i = 0; i < n; i++, rec += sizeof(struct wmw_record)) {
		take_record(&m->event[i], rec, last);
		last = m->event[i].time;
	}
	b[w->block_count++] = (struct wm_event_block){
		.first = m->event[0].time,
		.number = UINT32_MAX,
		.events = n,
		.thread = thread,
		.generation = generation,
		.event_first = first,
		.tid = tid,
		.memory = m->event,
	};
	w->events += n;
	wm_raise(&w->end_ticks, last);
	return WM_OK;
}

/* Takes the records of one slot that are in no block of the trace. */
static enum wm_status take_records(struct crash_buffer *w, const uint8_t *slot,
				   const uint8_t *rec, uint32_t n,
				   struct wm_err *err)
{
	uint64_t first = GET(slot, wmw_slot, first);
	uint64_t thread = GET(slot, wmw_slot, thread), have;
	uint32_t index, skip = 0, i;
	enum wm_status r;

	if (thread >= UINT32_MAX || first > UINT64_MAX / 2)
		return bad_crash_buffer(err, "slot of thread", thread);
	for (i = 0; i < w->block_count; i++)
		if (w->blocks[i].thread == thread)
			return bad_crash_buffer(err, "two slots of thread",
						thread);
	have = events_covered(w->t, (uint32_t)thread);
	if (first > have && !w->dropped)
		return wm_err_set(err, WM_BAD_INPUT,
				  "events %" PRIu64 " to %" PRIu64
				  " of thread %" PRIu64
				  " are neither in the trace nor here",
				  have, first, thread);
	if (have > first)
		skip = have - first < n ? (uint32_t)(have - first) : n;
	if (skip == n)
		return WM_OK;
	r = wm_trace_generation(w->t, GET(slot, wmw_slot, generation), &index,
				err);
	rec += skip * sizeof(struct wmw_record);
	n -= skip;
	for (i = 0; !r && i < n; i++)
		r = check_record(w, rec + i * sizeof(struct wmw_record),
				 &w->t->gen[index], err);
	if (r)
		return r;
	return add_block(w, rec, n, (uint32_t)thread, GET(slot, wmw_slot, tid),
			 index, first + skip, err);
}

static enum wm_status read_slot(struct crash_buffer *w, uint32_t i,
				struct wm_err *err)
{
	uint64_t at = WMW_SLOT_AT(w, i);
	uint8_t slot[sizeof(struct wmw_slot)];
	const uint8_t *p;
	uint64_t epoch;
	uint32_t n;
	enum wm_status r = wm_source_view(&w->src, at, sizeof(slot), &p, err);

	if (r)
		return r;
	memcpy(slot, p, sizeof(slot));
	epoch = GET(slot, wmw_slot, epoch);
	if (epoch == 0)
		return WM_OK;
	if (epoch > WMW_EPOCH_MAX)
		return bad_crash_buffer(err, "epoch", epoch);
	r = wm_source_view(&w->src, at + w->head_size,
			   w->slot_records * sizeof(struct wmw_record), &p,
			   err);
	if (r)
		return r;
	n = count_records(w, p, epoch);
	return n ? take_records(w, slot, p, n, err) : WM_OK;
}

/* Reads epochs of pages, which are in a slot of their own. */
static enum wm_status read_epochs(struct crash_buffer *w, struct wm_err *err)
{
	uint64_t slot = HEAD(w, epoch_slot), bytes = HEAD(w, epoch_bytes);

	if (slot == 0 || slot > w->slots ||
	    bytes > w->slot_size - w->head_size || bytes > MAX_EPOCH_BYTES)
		return bad_crash_buffer(err, "epochs in slot", slot);
	return wm_crash_epochs_read(w->t, &w->src,
				    WMW_SLOT_AT(w, slot - 1) + w->head_size,
				    (size_t)bytes, err);
}

/* Returns whether the name is in a list with ", " between names. */
static bool is_listed(const char *list, const char *name, size_t n)
{
	for (const char *p = list; p; p = strstr(p, ", ")) {
		p += p == list ? 0 : 2;
		if (!strncmp(p, name, n) && (p[n] == ',' || !p[n]))
			return true;
	}
	return false;
}

/* Adds libraries that were opened, but not examined in time. */
static enum wm_status add_opened(struct wm_trace *t, const uint8_t *names,
				 struct wm_err *err)
{
	char *all = wm_plain((const char *)names, WMW_TEXT), *next = all;
	enum wm_status r = all ? WM_OK : wm_no_memory(err, NULL);

	while (!r && next && *next) {
		size_t n = strcspn(next, ",");
		const char *old = t->unseen_libraries;
		char *list;

		if (n && !is_listed(old, next, n)) {
			if (asprintf(&list, "%s%s%.*s", old ? old : "",
				     old ? ", " : "", (int)n, next) < 0) {
				r = wm_no_memory(err, NULL);
				break;
			}
			free(t->unseen_libraries);
			t->unseen_libraries = list;
		}
		next = strstr(next, ", ");
		next += next ? 2 : 0;
	}
	free(all);
	return r;
}

static enum wm_status set_overwritten(struct wm_trace *t, const uint8_t *names,
				      struct wm_err *err)
{
	if (!names[0])
		return WM_OK;
	free(t->overwritten);
	t->overwritten = wm_plain((const char *)names, WMW_NAMES);
	return t->overwritten ? WM_OK : wm_no_memory(err, NULL);
}

static enum wm_status add_to_trace(struct crash_buffer *w, struct wm_err *err)
{
	struct wm_trace *t = w->t;
	struct wm_clocks now = get_clocks(w, offsetof(struct wmw_head, now) +
						     24 * HEAD(w, now_at));
	const char *why = (const char *)w->head +
			  offsetof(struct wmw_head, drop_reason);
	struct wm_event_block *b;

	b = WM_ROOM(t->blocks, t->block_cap, t->block_count + w->block_count);
	if (!b && w->block_count)
		return wm_no_memory(err, NULL);
	if (w->block_count)
		memcpy(b + t->block_count, w->blocks,
		       w->block_count * sizeof(*b));
	t->block_count += w->block_count;
	t->memory = w->memory;
	w->memory = NULL;
	t->crash_buffer_events = w->events;
	t->crash_buffer_pathless = w->pathless;
	t->crash_buffer_used = true;
	t->outside = (uint32_t)HEAD(w, outside);
	/* a block that was being written is damaged, but its events are here */
	t->damage.text[0] = 0;
	wm_raise(&t->dropped, w->dropped);
	wm_raise(&t->accesses_lost, HEAD(w, accesses_lost));
	if ((w->dropped || why[0]) && !t->drop_reason) {
		t->drop_reason = wm_plain(why, WMW_TEXT);
		if (!t->drop_reason)
			return wm_no_memory(err, NULL);
	}
	if (add_opened(t, w->head + offsetof(struct wmw_head, opened_apart),
		       err) ||
	    set_overwritten(t, w->head + offsetof(struct wmw_head, overwritten),
			    err))
		return WM_NO_MEMORY;
	t->aborts_inside = HEAD(w, aborts) == WMW_ABORTS_INSIDE;
	if (HEAD(w, aborts)) {
		t->end_reason = strdup("abort");
		if (!t->end_reason)
			return wm_no_memory(err, NULL);
	}
	if (now.ticks > t->last.ticks && now.mono_ns > t->last.mono_ns)
		t->last = now;
	t->end_ticks = wm_most(w->end_ticks, t->last.ticks);
	return WM_OK;
}

/* Returns the path beside the trace or, if no file is there, that in START. */
static char *find_file(const struct wm_trace *t, const char *path)
{
	size_t n = strlen(path), m = strlen(WMT_FILE_SUFFIX);
	char *s = NULL;

	if (n > m && strcmp(path + n - m, WMT_FILE_SUFFIX) == 0)
		n -= m;
	if (asprintf(&s, "%.*s" WMW_FILE_SUFFIX, (int)n, path) < 0)
		return NULL;
	if (t->crash_buffer_path && t->crash_buffer_path[0] &&
	    access(s, F_OK) != 0) {
		free(s);
		s = strdup(t->crash_buffer_path);
	}
	return s;
}

static enum wm_status read_all(struct crash_buffer *w, const char *file,
			       uint64_t blocks, struct wm_err *err)
{
	enum wm_status r = wm_source_open(&w->src, file, err);

	if (!r)
		r = read_head(w, blocks, err);
	if (!r)
		r = read_journal(w, err);
	for (uint32_t i = 0; !r && i < w->slots; i++)
		r = read_slot(w, i, err);
	if (!r && HEAD(w, epoch_bytes))
		r = read_epochs(w, err);
	return r ? r : add_to_trace(w, err);
}

static bool has_grown(const struct wm_trace *t, const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && (uint64_t)st.st_size > t->src.size;
}

enum wm_status wm_crash_buffer_read(struct wm_trace *t, const char *path,
				    uint64_t blocks, struct wm_err *err)
{
	struct crash_buffer w = { .t = t, .src = WM_SOURCE_INIT };
	struct wm_err why;
	enum wm_status r;
	char *file;

	if (!t->crash_buffer_path)
		return WM_OK;
	file = find_file(t, path);
	if (!file)
		return wm_no_memory(err, NULL);
	t->crash_buffer_elsewhere = strcmp(file, t->crash_buffer_path) == 0;
	r = read_all(&w, file, blocks, &why);
	if (r == WM_BAD_INPUT && has_grown(t, path))
		wm_err_set(&why, r,
			   "the process still runs: what it wrote "
			   "meanwhile does not count");
	if (r == WM_NO_MEMORY)
		wm_err_set(err, r, "'%.200s': %.200s", file, why.text);
	else if (r && !(t->unborn && r == WM_IO)) /* it may have none */
		wm_err_set(&t->crash_buffer_damage, r,
			   "%s: its window '%.200s': "
			   "%.200s",
			   t->name, file, why.text);
	wm_memory_blocks_free(w.memory);
	wm_source_release(&w.src);
	free(w.blocks);
	free(file);
	return r == WM_NO_MEMORY ? r : WM_OK;
}
