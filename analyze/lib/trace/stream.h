/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The blocks of one Stream of a trace: one block that the process wrote, or
 * several blocks that --repack joined (docs/trace-format.md, 6.7).
 *
 * Heads are read when a Stream is opened.  A column is decoded when it is first
 * asked for, together with the rest of its *lane*, which is one xz Block: the
 * columns of the same number and thread in all blocks of the Stream.
 *
 * A wm_stream owns its buffers and borrows the source; a zeroed one is empty.
 * One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/octets.h"
#include "analyze/lib/trace/head.h"
#include "analyze/lib/trace/source.h"
#include "analyze/lib/trace/read_xz.h"

/* Bytes behind the end of a column that may be read.  A slice is decoded as if
 * columns had no end, with at most two addresses of eight bytes for each event;
 * the end is checked after that (decode_ops.c). */
#define WM_COLUMN_SLACK (16 * 256 + 16)

struct wm_stream_lane {
	uint64_t column, thread;
	struct wm_xz_block at;
	uint64_t size; /* of all its columns, by their heads */
	uint64_t begun; /* bytes up to the current block */
	bool decoded;
	uint8_t *data;
	size_t cap;
};

struct wm_stream {
	struct wm_source *src;
	struct wm_xz xz;
	uint64_t offset, end; /* of the Stream in the file */
	bool open;
	uint32_t blocks, next; /* count; the next one, from 0 */
	/* of the current block */
	struct wm_head head;
	const uint8_t *bytes; /* the head, to head.end */
	struct wm_stream_place {
		uint32_t lane;
		uint64_t at;
	} place[WM_MAX_COLUMNS];

	struct wm_octets own, heads; /* head of the Stream; HEADS */
	size_t heads_at; /* place in HEADS of the next head */
	bool joined;
	struct wm_stream_lane *lane;
	size_t lanes, lane_cap, lanes_made;
};

/* Opens the Stream at @offset, before its first block, and checks its Index. */
enum wm_status wm_stream_open(struct wm_stream *s, struct wm_source *src,
			      uint64_t offset, struct wm_err *err);
enum wm_status wm_stream_next(struct wm_stream *s, struct wm_err *err);
/* Moves to block number @part of the Stream at @offset, opened if needed. */
enum wm_status wm_stream_seek(struct wm_stream *s, struct wm_source *src,
			      uint64_t offset, uint32_t part,
			      struct wm_err *err);
/* Returns column number @i of s->head, valid until the Stream is closed, with
 * WM_COLUMN_SLACK readable bytes behind it. */
enum wm_status wm_stream_column(struct wm_stream *s, size_t i,
				struct wm_column *c, struct wm_err *err);
enum wm_status wm_stream_find(struct wm_stream *s, uint64_t id,
			      struct wm_column *c, struct wm_err *err);
/* Returns whether no runtime wrote @s: its checksums hold, or it has none. */
static inline bool wm_stream_is_foreign(const struct wm_stream *s)
{
	return s->xz.foreign;
}
/* Returns whether columns of this number have one lane for all threads. */
bool wm_stream_is_common(uint64_t id);
size_t wm_stream_memory(const struct wm_stream *s);
void wm_stream_release(struct wm_stream *s);
