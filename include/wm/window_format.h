/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The window (crash buffer) of one process: events that the trace does not
 * contain yet, in a file that is mapped shared (docs/trace-format.md, section
 * 8).
 *
 * The writer (runtime/) maps the file, and the reader (analyze/) uses the
 * offsets of these structs: the structs have no padding, the order of their
 * members is part of the format, and numbers are little-endian.
 */
#ifndef WM_WINDOW_FORMAT_H
#define WM_WINDOW_FORMAT_H

#include <stdint.h>

#define WMW_MAGIC "WMTW"
#define WMW_MAGIC_SIZE 4
#define WMW_VERSION 1
#define WMW_FILE_SUFFIX ".wmw"

#define WMW_JOURNALS 2u
#define WMW_TEXT 512u
#define WMW_NAMES 128u

/* abort() was called by the program, or from within an intercepted call, as by
 * glibc's free(). */
#define WMW_ABORTS 1u
#define WMW_ABORTS_INSIDE 2u

struct wmw_head {
	uint8_t magic[WMW_MAGIC_SIZE];
	uint32_t version;
	/* identity: the same as in the trace's START */
	uint64_t pid;
	uint64_t start[3]; /* START_TIME */
	uint8_t boot_id[40]; /* filled up with zeros */
	/* sizes; do not change */
	uint32_t journal_size; /* bytes of one journal */
	uint32_t record_size;
	uint64_t slot_size; /* from one slot to the next */
	uint32_t slot_records;
	/* these change, each with one store */
	uint32_t slots;
	uint32_t outside; /* threads whose buffer is not in the window */
	uint32_t now_at; /* index of the valid clocks in `now` */
	uint64_t blocks; /* complete blocks in the trace */
	uint64_t dropped; /* events lost since the start of the process */
	uint64_t journal; /* number of the valid one << 32 | bytes used */
	uint64_t now[2][3]; /* the clocks, as in NOW */
	uint8_t drop_reason[WMW_TEXT]; /* text that ends with a zero */
	/* Epochs of pages that the trace does not contain yet: the bytes of
	 * struct wmw_epoch (0: none), and the number of the slot with them plus
	 * 1. */
	uint64_t epoch_bytes;
	uint64_t epoch_slot;
	uint64_t accesses_lost; /* as ALL_ACCESSES_LOST, but of this moment */
	uint64_t aborts; /* WMW_ABORTS*: the process has called abort() */
	/* Libraries that were opened as those of UNSEEN_LIBRARIES and have not
	 * been examined yet; a text that ends with a zero. */
	uint8_t opened_apart[WMW_TEXT];
	/* bytes of this head, and of the head of each slot; does not change */
	uint64_t head_size;
	uint8_t overwritten[WMW_NAMES]; /* as OVERWRITTEN; ends with a zero */
};
#define WMW_HEAD_LEAST 4096u
#define WMW_HEAD_MOST (1u << 20)

/* The head of one epoch.  `bytes` bytes follow, filled up to a multiple of 8:
 * the numbers of the epoch in column EPOCHS, then its parts of ACCESSED and
 * WRITTEN.  Here, a difference set is relative to the previous epoch. */
struct wmw_epoch {
	uint64_t number;
	uint64_t bytes;
};

/* The head of a call path in the journal.  The outermost `shared` frames are
 * those of the path with the previous number; the other frames, of 8 bytes
 * each, follow, outer ones first. */
struct wmw_path {
	uint32_t number, generation, depth, shared;
};

struct wmw_slot {
	uint32_t epoch; /* of the valid records; 0: none */
	uint32_t thread, tid, generation;
	uint64_t first; /* number of the first record within its thread */
};

struct wmw_record {
	uint64_t time; /* ticks */
	uint64_t addr;
	uint64_t size;
	uint32_t stack;
	uint32_t kind; /* WMT_EV_* | epoch << 8; stored last */
};

#define WMW_EPOCH_MAX 0xffffffu

/* Offsets of journals and slots. */
#define WMW_JOURNAL_AT(head, which)                                            \
	((head)->head_size + (uint64_t)(which) * (head)->journal_size)
#define WMW_SLOT_AT(head, i)                                                   \
	((head)->head_size + WMW_JOURNALS * (uint64_t)(head)->journal_size +   \
	 (uint64_t)(i) * (head)->slot_size)

#endif
