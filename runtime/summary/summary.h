/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table at the end of the run (WM_SUMMARY=1).
 *
 * Each rank writes a record to a file beside the traces before the real
 * MPI_Finalize; after MPI_Finalize, one rank reads all records.  No message is
 * sent: nothing waits for a rank that is not traced, late, stopped or dead.
 * Called by the thread that finalizes or ends the process, outside of all
 * locks.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"
#include "runtime/base/text.h"
#include "runtime/trace/curve.h"
#include "runtime/trace/usage.h"

#define WM_SUMMARY_FILE ".summary.part"
#define WM_SUMMARY_MAGIC UINT64_C(0x32304d55534d5457) /* "WTMSUM02" */

/* The record of one rank, at (rank modulo ranks per directory) times its size
 * in WM_SUMMARY_FILE.  Processes of one job use the file, and remove it. */
struct wm_summary_record {
	uint64_t magic;
	uint32_t rank, ranks;
	uint64_t node; /* the same for all ranks of a node */
	uint64_t start_real, end_real; /* ns since 1970 */
	uint64_t static_bytes;
	uint64_t tool_bytes; /* peak of the runtime's mapped memory */
	uint64_t trace_bytes, events, dropped;
	uint64_t write_ns; /* time to write all blocks of the trace */
	uint64_t spent_ns; /* time to make this record */
	uint64_t has_heap; /* 0: the sizes of blocks are unknown */
	uint64_t overwritten; /* 1: not all mappings are recorded */
	uint64_t unused[5];
	struct wm_heap_now heap;
	char host[64];
	uint64_t sum; /* sum of all other words, which reveals a torn record */
};
_Static_assert(sizeof(struct wm_summary_record) == 1024, "a power of two");

/* One number over all ranks.  All members are integers, so that the program's
 * floating-point state does not change. */
struct wm_summary_stat {
	uint64_t max, min, count;
	uint32_t max_rank, min_rank;
	/* modulo 2^128 */
	unsigned __int128 sum, squares;
};

struct wm_summary_node {
	uint64_t id;
	uint32_t ranks, unknown; /* ranks without a curve are unknown */
	uint64_t peak;
	struct wm_curve curve;
	char host[64];
};

struct wm_summary_job {
	uint64_t count, ranks; /* number of records; size of the job */
	uint64_t seconds_ns;
	uint32_t lowest;
	uint64_t absent; /* ranks that may be in directories of other nodes */
	struct wm_summary_stat peak, live, fixed, tool, writing, spent;
	uint64_t events, trace_bytes, dropped;
	bool overwritten; /* in some rank */
	struct wm_summary_node *node; /* in memory */
	size_t nodes;
	struct wm_buf memory;
};

/* If @after is 0, before the real MPI_Finalize: writes the record.  If @after
 * is 1, after it: prints the table, if this rank is to do so. */
void wm_summary_mpi(int after) wm_hidden;
void wm_summary_process(void) wm_hidden;

/* summary_job.c: adds a record; returns -1 if there is no memory. */
int wm_summary_add(struct wm_summary_job *j,
		   const struct wm_summary_record *r) wm_hidden;
void wm_summary_release(struct wm_summary_job *j) wm_hidden;
/* Stores an upper and a lower bound of the bytes that all ranks of @n had at
 * the same moment. */
void wm_summary_concurrent(const struct wm_summary_node *n, uint64_t *most,
			   uint64_t *least) wm_hidden;
/* The mean, to the nearest, and the standard deviation, within 1.  count >
 * 0. */
uint64_t wm_summary_mean(const struct wm_summary_stat *s) wm_hidden;
uint64_t wm_summary_deviation(const struct wm_summary_stat *s) wm_hidden;

/* summary_text.c: writes the table to @t; @program and @dir name the run. */
void wm_summary_print(const struct wm_summary_job *j, const char *program,
		      const char *dir, struct wm_text *t) wm_hidden;
