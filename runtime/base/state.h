/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data that all parts of the runtime share.
 *
 * struct wm_state and the slots are in mappings that the kernel wipes in a
 * forked child (MADV_WIPEONFORK): there `tracing` is WM_TRACING_NONE, each slot
 * appears full, and nothing is recorded.  If the kernel cannot wipe memory
 * (before Linux 4.14), the pid is compared whenever a buffer is full.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>

#include "input/rank_list.h"
#include "wm/window_format.h"

#include "runtime/arch/machine.h"
#include WM_MACHINE_HEADER(memory.h)

#include "runtime/base/attributes.h"
#include "runtime/base/clock.h"

#define WM_PATH_MAX 4096
/* The page of the runtime's own memory and of page filters.  It consists of
 * whole pages of any kernel; -DWM_PAGE=65536ul tries larger pages.  Whether
 * other memory is mapped is decided by WM_PAGE_LEAST. */
#ifndef WM_PAGE
#define WM_PAGE WM_PAGE_MOST
#endif
_Static_assert(WM_PAGE % WM_PAGE_MOST == 0 && !(WM_PAGE & (WM_PAGE - 1)),
	       "pages");

static inline size_t wm_kernel_page(void)
{
	return WM_PAGE_LEAST == WM_PAGE_MOST ? WM_PAGE_MOST :
					       getauxval(AT_PAGESZ);
}

struct wm_rec {
	uint64_t time; /* ticks */
	uint64_t addr;
	uint64_t size; /* bytes, or the value of column EXTRA, or 0 */
	uint32_t stack; /* number in the dictionary's present generation */
	uint32_t kind; /* WMT_EV_* | tag; stored last: the record is complete */
};

#define WM_REC_KIND(r) ((r)->kind & 0xff)

/* One thread's buffer.  Only the owner moves `cur`.  The thread that writes the
 * slot out holds the writer lock; it is the owner, the finalizer, or a new
 * thread that has found the owner dead. */
struct wm_slot {
	_Atomic(struct wm_rec *) cur; /* released after the record */
	struct wm_rec *end; /* if cur >= end: full, off, or wiped by fork */
	struct wm_rec *base;
	struct wm_parked {
		const void *p;
		size_t size;
		const uintptr_t *frame;
		unsigned kind;
	} parked;
	uint32_t tag; /* epoch << 8: marks the records of this filling */
	int buffer_home; /* WM_BUFFER_*: the memory of the buffer */
	size_t written_out; /* records that the finalizer has already written */
	uint64_t first; /* number of the buffer's first event in its thread */
	uint32_t generation; /* of the stacks in the buffer */
	uint32_t thread; /* number in the trace */
	int tid;
	uintptr_t at; /* address of the owner's wm_self */
	void *unwind_cache; /* used by libunwind; stays with the slot */
	void **frames; /* scratch memory of libunwind and of WM_UNWIND=fp */
	size_t frame_room;
	void *page; /* scratch memory of WM_UNWIND=fp */
	void *stack; /* top of our stack for the thread (on_stack.h) */
	struct wm_walk *walk; /* of the table unwinder; stays with the slot */
	struct wm_walk *quick; /* walk, if it alone suffices, or NULL */
	struct wm_stamp stamp;
	uint32_t closings; /* wm_closings when the rows of walk were made */
	struct wm_access_stream *accesses; /* NULL: none; stays with the slot */
	struct wm_page_filter *filter; /* likewise */
	/* A release whose call has not returned: its number in the thread, from
	 * 1 on, or 0.  Set before `cur`. */
	_Atomic uint64_t unsettled;
	uintptr_t unsettled_from; /* the frame of that call */
	struct wm_slot *next;
};

enum {
	WM_BUFFER_NEW = 0,
	WM_BUFFER_PRIVATE, /* lost when the process is killed */
	WM_BUFFER_CRASH,
	WM_BUFFER_REFUSED, /* private for good: no room in the crash buffer */
};

enum wm_tracing {
	WM_TRACING_NONE = 0, /* wiped: a forked child */
	WM_TRACING_ON,
	WM_TRACING_OFF, /* by an option, or not allowed */
	WM_TRACING_STOPPED, /* nothing can be written; events are counted */
	WM_TRACING_CAPPED, /* likewise, because of WM_MAX_BYTES */
	WM_TRACING_ENDED,
	WM_TRACING_BEGINNING, /* a child is beginning its trace */
};

struct wm_state {
	_Atomic int tracing;
	int pid;
	int wipes; /* 1: the kernel wipes this page on fork */
	_Atomic(struct wm_slot *) slots;
	_Atomic uint32_t threads;
	uint32_t slots_used, slots_scan_at;
	_Atomic uint64_t dropped;
	_Atomic uint64_t not_written; /* events above WM_MAX_BYTES */
	_Atomic uint64_t skipped; /* allocations during pauses */
	char drop_reason[512]; /* of the first loss that has a reason */
	_Atomic int drop_told; /* 1: is being written; 2: written */
	/* WM_UNWIND=check: paths that were compared, and that differed */
	_Atomic uint64_t unwind_checked, unwind_differed;
	_Atomic uint64_t paths_cut; /* events whose path is not complete */
	uint64_t start_ticks, start_mono, start_real;
	/* streams of loads and stores, the newest first */
	_Atomic(struct wm_access_stream *) streams;
	/* accesses in no block: of threads without a stream; of all threads */
	_Atomic uint64_t accesses_lost, accesses_lost_told;
	struct wmw_head *_Atomic crash_buffer; /* mapped for good, or NULL */
	_Atomic int mpi; /* 1: MPI is up, 2: MPI was finalised */
	int exit_status; /* 0 to 255; -1: not known */
	_Atomic int ender; /* the thread that ends the process */
};

enum wm_compress {
	WM_COMPRESS_AUTO = -1,
	WM_COMPRESS_STORE = -2,
};

#define WM_ACCESS_ONLY_MAX 1001

struct wm_options {
	bool disable, quiet, children, summary;
	enum wm_unwind {
		WM_UNWIND_NONE,
		WM_UNWIND_TABLE,
		WM_UNWIND_LIBUNWIND,
		WM_UNWIND_CHECK,
		WM_UNWIND_FRAMES,
	} unwind;
	int compress; /* a level from 0 to 9, or one of enum wm_compress */
	uint64_t time_res_ns;
	uint64_t max_bytes; /* of a trace; 0: no cap */
	size_t buffer_bytes;
	size_t memory; /* the runtime's whole memory; 0: no limit */
	bool no_crash_buffer;
	bool no_command;
	bool variables; /* variables that point at large blocks are recorded */
	unsigned mode; /* of files; directories also get x for each r */
	char dir[WM_PATH_MAX];
	char crash_buffer_dir[WM_PATH_MAX]; /* empty: beside the trace */
	char name[WM_NAME_MAX];
	char ranks[WM_RANK_LIST_MAX]; /* the ranks to trace; empty: all */
	bool pages;
	uint64_t pages_ns; /* CPU time of an epoch; 0: by a budget */
	unsigned pages_reads; /* N: reads are recorded in every Nth epoch */
	char pages_ranks[WM_RANK_LIST_MAX]; /* for these; empty: all */
	uint64_t access_max_bytes; /* in a trace; 0: no cap */
	bool no_accesses;
	uint64_t access_pages_ns; /* for pages:MS, CPU time; 0: off */
	char access_ranks[WM_RANK_LIST_MAX]; /* for these; empty: all */
	char access_only
		[WM_ACCESS_ONLY_MAX]; /* patterns of functions; empty: all */
	/* ns of a burst of loads and stores, and from one burst to the next; 0:
	 * all loads and stores are recorded */
	uint64_t access_burst_ns, access_every_ns;
	bool access_locals; /* and frames, for names of local variables */
	char warning[512];
};

/* This process and its job (identity.h).  Constant after the start, except the
 * rank, which MPI corrects under the writer lock. */
struct wm_identity {
	int pid; /* of the last traced process: not wiped in a forked child */
	int parent; /* pid of a traced child's parent; 0: this is no child */
	int rank, ranks;
	int launcher_rank, launcher_ranks; /* 0 ranks: unknown */
	int mpi_rank, mpi_ranks; /* from MPI; 0 ranks: unknown */
	bool spawned; /* by MPI_Comm_spawn (launcher's variables) */
	bool spread; /* the job has other nodes (launcher) */
	bool job_named; /* the id is the same on all ranks of the job */
	/* takes part in our collective calls, even if WM_RANKS leaves it out */
	bool joins;
	bool undecided; /* WM_RANKS needs the rank from MPI_Init */
	bool is_final; /* rank and job will not change any more */
	/* the process that reports that nothing is traced, because WM_RANKS
	 * leaves out every rank, or because there is too little memory */
	int nobody_pid;
	const char *launcher;
	char program[WM_NAME_MAX]; /* first part of the run directory's name */
	char id[WM_NAME_MAX]; /* second part */
	char exe[WM_PATH_MAX];
	char host[WM_NAME_MAX];
	char boot_id[64];
	const char *batch; /* the batch system, or NULL */
	char batch_job[64];
	int cpus; /* for each rank; 0: unknown */
	int mib_per_cpu, mib_per_node; /* limits of the job; 0: unknown */
};

struct wm_renaming {
	int mpi_rank, mpi_ranks, rank, ranks;
	const char *id; /* NULL: the id does not change */
};

/* Bounds of the runtime's memory in bytes (memory_plan.h). */
struct wm_memory_plan {
	/* The process takes at most the sum of: start; thread, for each thread
	 * except the first; paths; and at least 64 bytes for each frame of a
	 * call path that is deeper than 500. */
	size_t start, thread, paths;
	size_t dictionary; /* a part of start and paths */
	size_t block;
};

/* Reasons, as bits, why events take the slow way of record.c. */
#define WM_SLOW_PAUSED 1 /* between wm_pause() and wm_resume() */
#define WM_SLOW_USABLE 2 /* totals in usable bytes are kept */
#define WM_SLOW_ACCESSES 4 /* loads and stores are recorded */
#define WM_SLOW_HOLDERS 8 /* variables of new blocks are due */
#define WM_SLOW_ANY 0xff
/* releases only: resident memory is read before large ones (looks.h) */
#define WM_SLOW_LOOKS 0x100

extern struct wm_state *wm_state wm_hidden; /* NULL before the first event */
extern struct wm_options wm_options wm_hidden;
extern struct wm_identity wm_identity wm_hidden;
extern struct wm_memory_plan wm_memory_plan wm_hidden;
extern _Atomic int wm_slow_reasons wm_hidden;
/* Twice the number of calls of dlclose: facts about addresses become invalid
 * before and after each call. */
extern _Atomic uint32_t wm_closings wm_hidden;
/* The calls of dlclose that have not returned. */
extern _Atomic uint32_t wm_closing_now wm_hidden;
extern int wm_lock_forks wm_hidden; /* traced forks so far (lock.h) */
extern __thread struct wm_slot *wm_self
	__attribute__((tls_model(WM_TLS_MODEL), visibility("hidden")));

/* This thread is on a stack of ours, with all signals blocked. */
extern __thread int wm_is_aside
	__attribute__((tls_model(WM_TLS_MODEL), visibility("hidden")));

/* Returns true in a forked child, where no data may be changed. */
static inline bool wm_forked(const struct wm_state *st)
{
	return atomic_load_explicit(&st->tracing, memory_order_relaxed) ==
	       WM_TRACING_NONE;
}

/* Returns the number of records of the owner of @s so far. */
static inline uint64_t wm_slot_events(const struct wm_slot *s)
{
	return s->first +
	       (uint64_t)(atomic_load_explicit(&s->cur, memory_order_relaxed) -
			  s->base);
}

static inline bool wm_is_closing(void)
{
	return wm_unlikely(
		atomic_load_explicit(&wm_closing_now, memory_order_acquire));
}
