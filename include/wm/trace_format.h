/* SPDX-License-Identifier: Apache-2.0 */
/* The trace of one process (docs/trace-format.md).  Writer (runtime/) and
 * reader (analyze/) share only these numbers and names.  Numbers are never
 * changed and never used again for something else. */
#ifndef WM_TRACE_FORMAT_H
#define WM_TRACE_FORMAT_H

#include <stdint.h>

/* A reader refuses a block of another major version; minor only adds. */
#define WMT_MAJOR 1
#define WMT_MINOR 0

/* The first bytes of the first xz Block of every xz Stream. */
#define WMT_MAGIC "WMTB"
#define WMT_MAGIC_SIZE 4
/* magic, major, minor, type, zero */
#define WMT_PREFIX_SIZE 8

/* Upper bounds, which a writer must keep. */
#define WMT_MAX_HEAD (1u << 20)
#define WMT_MAX_COLUMN (1u << 28)
#define WMT_MAX_BLOCK_EVENTS 65535
#define WMT_MAX_JOINED 4096 /* blocks in a Stream */
#define WMT_MAX_LANE (1u << 22) /* bytes of a column of joined blocks */
#define WMT_MAX_LISTS (1u << 22) /* tokens that a column of LISTS stands for */

#define WMT_FILE_PREFIX "rank-"
#define WMT_FILE_SUFFIX ".wmt.xz"
#define WMT_DIR_SUFFIX ".wm"
#define WMT_RANKS_PREFIX "ranks-" /* a directory of some of many ranks */
#define WMT_RANKS_PER_DIR 1024

/* Block types: X(name, number) */
/* clang-format off */
#define WMT_BLOCK_LIST(X)                                                      \
	X(START, 0) /* the process and its host; first in a file */            \
	X(EVENTS, 1) /* events of one thread */                                \
	X(STACKS, 2) /* call paths only: ends a generation of the dictionary */\
	X(END, 3) /* orderly end, totals */                                    \
	X(PAGES, 4) /* which pages were accessed, epoch by epoch */            \
	X(ACCESSES, 5) /* loads and stores of one thread */                    \
	X(JOINED, 6) /* several blocks in one Stream, by --repack */

/*
 * Events:
 * X(name, number, has_stack_and_size, has_new_address, has_old_address,
 *   has_extra)
 *   new address: column ALLOC_ADDR; old address: FREE_ADDR; extra: EXTRA
 */
#define WMT_EVENT_LIST(X)                                                      \
	X(FREE, 0, 0, 0, 1, 0)                                                 \
	X(MALLOC, 1, 1, 1, 0, 0)                                               \
	X(CALLOC, 2, 1, 1, 0, 0)                                               \
	/* realloc of a block: OUT before the call, IN, GONE or FAILED after */\
	X(REALLOC_OUT, 3, 0, 0, 1, 0)                                          \
	X(REALLOC_IN, 4, 1, 1, 0, 0)                                           \
	X(REALLOC_GONE, 5, 0, 0, 0, 0) /* realloc(p, 0) freed the block */     \
	X(REALLOC_NEW, 6, 1, 1, 0, 0) /* realloc(NULL, n) */                   \
	X(ALIGNED, 7, 1, 1, 0, 0)                                              \
	X(FAILED, 8, 1, 0, 0, 0) /* the call returned no memory */              \
	/* operator new and delete that do not end in malloc and free */       \
	X(NEW, 9, 1, 1, 0, 0)                                                  \
	X(DELETE, 10, 0, 0, 1, 0)                                              \
	/* ranges of addresses: EXTRA is the removed length */                 \
	X(MAP, 11, 1, 1, 0, 0)                                                 \
	X(UNMAP, 12, 0, 0, 1, 1)                                               \
	X(MPI_ALLOC, 13, 1, 1, 0, 0)                                           \
	X(MPI_FREE, 14, 0, 0, 1, 0)                                            \
	/* mremap: OUT before the call, IN or FAILED after */                  \
	X(REMAP_OUT, 16, 0, 0, 1, 1)                                           \
	X(REMAP_IN, 17, 1, 1, 0, 0)                                            \
	X(SHM, 18, 1, 1, 0, 0) /* shared memory attached or mapped */          \
	X(SHM_GONE, 19, 0, 0, 1, 1)                                            \
	X(THREAD_STACK, 20, 1, 1, 0, 0)                                        \
	X(THREAD_STACK_GONE, 21, 0, 0, 1, 0)                                   \
	/* the program's own brk and sbrk: ranges, too */                      \
	X(BREAK_UP, 22, 1, 1, 0, 0)                                            \
	X(BREAK_DOWN, 23, 0, 0, 1, 1)                                          \
	/* annotations of the program: EXTRA is a number in NAMES */           \
	X(PHASE, 24, 0, 0, 0, 1) /* from now on; 0: in no phase */             \
	X(NAME, 25, 0, 0, 1, 1) /* for the live block at the address */        \
	X(SNAPSHOT, 26, 0, 0, 0, 1)                                            \
	X(PAUSE, 27, 0, 0, 0, 0) /* allocations after it are not recorded */   \
	X(RESUME, 28, 0, 0, 0, 0)

/* A NAME at one of these addresses is not the name of a block: X(name,
 * address). There is no memory below WMT_SAYING_LIMIT. */
#define WMT_SAYING_LIST(X)                                                     \
	X(NEXT, 1) /* name for the thread's next block; 0: none */             \
	X(MARK, 2) /* text of a mark; 0: it has none */                        \
	X(REGION_START, 3) /* EXTRA is an address, */                          \
	X(REGION_BYTES, 4) /* a number, */                                     \
	X(REGION_ELEMENT, 5) /* bytes of an element, or 0, */                  \
	X(REGION, 6) /* a name: now the region is complete */                  \
	X(REGION_END, 7) /* EXTRA is an address in the region that ends */     \
	X(HOLDER, 8) /* name of a word of static memory, WMT_STATIC_*, */      \
	X(HELD, 9) /* which contains EXTRA, the address of a block */          \
	X(FINALIZE, 10) /* MPI_Finalize begins */                              \
	X(INITIALIZED, 11) /* MPI_Init has ended */                            \
	X(PRIVATE_MOST, 12) /* upper bound since the last PRIVATE, */          \
	X(PRIVATE, 13) /* and now, of resident bytes that are not shared */    \
	X(TOUCHED, 14) /* bytes that became resident since then */             \
	X(SHARED_MORE, 15) /* bytes that are shared now, not then */
#define WMT_SAYING_LIMIT 4096
/* The name of a word of static memory consists of its address as linked, in
 * hexadecimal digits, and the beginning of its module's build-id:
 * static:4060@0123abcd. */
#define WMT_STATIC_PREFIX "static:"
#define WMT_STATIC_IN '@'
#define WMT_REGION_LIMIT (1ull << 57) /* where user space ends */

/* Columns of a block: X(name, number, encoding as a rule) */
#define WMT_COLUMN_LIST(X)                                                     \
	X(KIND, 1, OPS)                                                        \
	X(TIME, 2, RUNS) /* or GAPS */                                         \
	X(STACK, 3, VARINT)                                                    \
	X(SIZE, 4, VARINT)                                                     \
	X(ALLOC_ADDR, 5, DELTA)                                                \
	X(FREE_ADDR, 6, DELTA)                                                 \
	X(DICT, 7, TREE) /* call paths first used in this block */             \
	X(MODULES, 8, TABLE) /* mappings of files; replaces the list before */   \
	X(EXTRA, 9, VARINT)                                                    \
	X(NAMES, 10, STRINGS) /* names first used in this block */             \
	X(HANDLE, 11, OCTETS) /* with KIND as OPS: the released block */       \
	X(HEADS, 12, HEADS) /* in JOINED: those of its blocks */               \
	/* in PAGES */                                                         \
	X(EPOCHS, 15, VARINT) /* WMT_EPOCH_NUMBERS for each */                 \
	X(ACCESSED, 16, PAGES)                                                 \
	X(WRITTEN, 17, PAGES) /* places in ACCESSED of the same epoch */       \
	X(COVERED, 18, RANGES) /* watched ranges; replaces the list before */  \
	X(NOT_COVERED, 19, SIZES) /* likewise: other memory, by reason */      \
	X(LOADS, 20, TOKENS) /* in ACCESSES: wm/access_format.h; or LISTS */   \
	/* in PAGES that the program's hooks recorded */                       \
	X(WHO, 21, TOUCHERS) /* threads of each page in ACCESSED */            \
	X(SPOTS, 22, PLACES) /* access sites of samples */                     \
	X(SAMPLES, 23, FIRSTS) /* an access to each page in ACCESSED */

/* How a column is coded: X(name, number).  1, 5, 7, 13 to 15 are not used. */
#define WMT_ENCODING_LIST(X)                                                   \
	X(RUNS, 2) /* TIME: run, (delta, run)* */                              \
	X(VARINT, 3) /* STACK, SIZE: one varint an event */                    \
	X(DELTA, 4) /* ALLOC_ADDR, FREE_ADDR: see wmt_addr_* */                \
	X(TABLE, 6) /* MODULES */                                              \
	X(STRINGS, 8) /* NAMES: (length, bytes)* */                            \
	X(OPS, 9) /* KIND: with predictions of the other columns */            \
	X(OCTETS, 10) /* HANDLE: bytes as they are */                          \
	X(SEEN, 11) /* STACK, SIZE with OPS: see WMT_SEEN_* */                 \
	X(HEADS, 12) /* heads as they are, one after the other */              \
	X(PAGES, 16) /* a coded set of numbers an epoch */                     \
	X(RANGES, 17) /* count, (gap, pages, WMT_COVERED_*)* */                \
	X(SIZES, 18) /* count, (WMT_NOT_COVERED_*, bytes)* */                  \
	X(TOKENS, 19) /* unpredicted parts of loads and stores */              \
	X(LISTS, 20) /* LOADS: its tokens, sorted by their kind */             \
	X(TOUCHERS, 21) /* WHO: threads and processors, runs of pages */       \
	X(PLACES, 22) /* SPOTS: (difference of pc, kind, bytes)* */            \
	X(FIRSTS, 23) /* SAMPLES: spots and places, times, threads */          \
	X(TREE, 24) /* DICT: for each path the frames that are new with it */  \
	X(GAPS, 25) /* TIME: a difference for each event but the first */

/* Added to an encoding: the bytes are packed (docs/trace-format.md, 6.8). */
#define WMT_ENC_PACKED 64

/*
 * Fields of a block's head: X(name, number, type)
 *   UINT    one varint
 *   STR     UTF-8 text without a final zero
 *   BYTES   as they are
 *   TRIPLE  three varints: ticks, CLOCK_MONOTONIC ns, CLOCK_REALTIME ns
 */
#define WMT_FIELD_LIST(X)                                                      \
	/* who and where; a later block may correct an earlier one */          \
	X(RUN_ID, 1, STR)                                                      \
	X(PROGRAM, 2, STR) /* first part of the run directory's name */        \
	X(EXE, 3, STR) /* absolute path of the traced executable */            \
	X(HOST, 4, STR)                                                        \
	X(BOOT_ID, 5, STR)                                                     \
	X(PID, 6, UINT)                                                        \
	X(RANK, 7, UINT)                                                       \
	X(RANKS, 8, UINT)                                                      \
	X(BUILD_ID, 9, BYTES) /* of the traced executable */                   \
	X(CLOCK, 10, UINT) /* WMT_CLOCK_* */                                   \
	X(START_TIME, 11, TRIPLE) /* at the first event */                     \
	X(BORN, 113, UINT) /* with PARENT: CLOCK_MONOTONIC then, in ns */      \
	X(TOOL_VERSION, 12, STR)                                               \
	X(LAUNCHER, 13, STR) /* where rank and job id came from */             \
	X(WINDOW, 14, STR) /* path of the window; empty: beside the trace */   \
	X(BUFFER_EVENTS, 15, UINT) /* events that a thread's buffer holds */   \
	X(PARENT, 16, UINT) /* a traced child: pid of its parent */            \
	X(COMMAND, 17, BYTES) /* arguments, a zero behind each */              \
	X(COMMAND_CUT, 18, UINT) /* 1: COMMAND is only the beginning */        \
	X(BATCH, 19, STR) /* the batch system that the process is in */        \
	X(TRACED_RANKS, 20, STR) /* WM_RANKS, if set: other ranks have no \
				  * trace (include/input/rank_list.h) */          \
	X(BATCH_JOB, 21, STR) /* its job in the batch system */                \
	X(CPUS, 22, UINT) /* for each rank, by the batch system */             \
	X(SPAWNED, 24, UINT) /* START: 1: MPI_Comm_spawn started the process */\
	/* these four only if launcher and MPI differ */                       \
	X(LAUNCHER_RANK, 25, UINT)                                             \
	X(LAUNCHER_RANKS, 26, UINT)                                            \
	X(MPI_RANK, 27, UINT)                                                  \
	X(MPI_RANKS, 28, UINT)                                                 \
	/* every block */                                                      \
	X(SEQUENCE, 32, UINT) /* number of the block in its file, from 0 */    \
	X(NOW, 33, TRIPLE) /* when the block was made */                       \
	X(DROPPED, 34, UINT) /* events lost since the start of the process */  \
	/* blocks with events */                                               \
	X(THREAD, 48, UINT) /* number in order of first event, from 0 */       \
	X(TID, 49, UINT) /* the system's number */                             \
	X(EVENTS, 50, UINT) /* records in KIND */                              \
	X(TIME_FIRST, 51, UINT) /* ticks >> TIME_SHIFT of the first event */   \
	X(TIME_LAST, 52, UINT) /* same unit, last event */                     \
	X(TIME_SHIFT, 53, UINT)                                                \
	X(GENERATION, 54, UINT) /* of the dictionary of call paths */          \
	X(STACK_FIRST, 55, UINT) /* number of the first path in DICT */        \
	X(STACKS, 56, UINT) /* paths in DICT */                                \
	X(EVENT_FIRST, 57, UINT) /* number of the first within its thread */   \
	X(NAME_FIRST, 58, UINT) /* number of the first of NAMES */             \
	X(THREAD_AT, 59, UINT) /* an address of thread-local storage, which \
				* usually lies beside the thread's stack */    \
	X(FRAME_FIRST, 60, UINT) /* number of the first frame in DICT */       \
	X(FRAMES, 61, UINT) /* frames in DICT, as TREE */                      \
	X(REFUSED, 62, UINT) /* STACKS: event of THREAD, a refused release */  \
	/* the end */                                                          \
	X(END_REASON, 64, STR)                                                 \
	X(EVENTS_TOTAL, 65, UINT) /* records in all blocks of the file */      \
	X(DROP_REASON, 66, STR)                                                \
	X(TOOL_MEMORY, 67, UINT) /* most bytes the runtime had mapped */       \
	X(THREADS, 68, UINT)                                                   \
	X(PEAK_RSS, 69, UINT) /* bytes; the process's VmHWM */                 \
	X(UNWIND_CHECKED, 70, UINT) /* WM_UNWIND=check: paths compared */      \
	X(UNWIND_DIFFERED, 71, UINT)                                           \
	X(RSS, 72, UINT) /* bytes; any block: VmRSS, at most every 100 ms */   \
	X(STACK_PEAK, 76, UINT) /* VmStk: the main thread's stack */           \
	X(RSS_FILE, 77, UINT) /* bytes; with RSS: RssFile */                   \
	X(RSS_SHARED, 78, UINT) /* with RSS: RssShmem */                       \
	/* with RSS: the highest values seen so far, in bytes */               \
	X(SHARED_PEAK, 79, UINT) /* resident, perhaps also in others */        \
	X(SHARED_PART, 92, UINT) /* of it: page / processes that have it */    \
	X(PRIVATE_PEAK, 93, UINT) /* resident without shared memory */         \
	X(THREAD_STACKS, 94, UINT) /* resident stacks of threads */            \
	X(CHILD_PEAK, 95, UINT) /* END: highest of children waited for */      \
	X(CHILD_FAULTS, 114, UINT) /* END: page faults of these children */    \
	X(FAULT_BYTES, 115, UINT) /* most bytes that one of them may bring */  \
	X(HUGE_FAULTS, 116, UINT) /* huge pages of the node meanwhile */       \
	X(FORKED, 117, UINT) /* END: 1: it has been copied by a fork */        \
	X(CHILDREN_LEFT, 118, UINT) /* END: some were not waited for */        \
	X(FAULTED, 112, UINT) /* END: upper bound of bytes from page faults */ \
	X(FAULTS, 119, UINT) /* END: page faults of the process itself */      \
	X(EXIT_STATUS, 96, UINT) /* END: of exit(), where it is known */       \
	X(MPI, 97, UINT) /* END: 1: MPI was up, 2: finalised, too */           \
	/* END: as the NAMEs of WMT_SAYING_* since the last of them */         \
	X(PRIVATE_MOST, 98, UINT)                                              \
	X(PRIVATE, 99, UINT)                                                   \
	X(TOUCHED, 108, UINT)                                                  \
	X(SHARED_MORE, 109, UINT)                                              \
	/* with WM_MAX_BYTES */                                                \
	X(CAPPED, 80, UINT) /* the cap; after it only END is written */        \
	X(NOT_WRITTEN, 81, UINT) /* events after the cap */                    \
	X(USABLE_LIVE, 82, UINT) /* heap, by malloc_usable_size() */           \
	X(USABLE_PEAK, 83, UINT)                                               \
	X(USABLE_TOTAL, 84, UINT) /* of all allocations */                     \
	/* any block: memory of the C library's allocator */                   \
	X(HEAP_FOOTPRINT, 74, UINT) /* bytes, now */                           \
	X(HEAP_FOOTPRINT_PEAK, 75, UINT)                                       \
	X(PAUSED_ALLOCATIONS, 90, UINT) /* not recorded between PAUSE, RESUME */\
	X(PATHS_CUT, 91, UINT) /* any block, but 0: events whose call path is \
				* not whole, for lack of memory */             \
	/* START: limits in bytes; absent: none that is known */               \
	X(MEM_PER_CPU, 100, UINT) /* of the job: SLURM_MEM_PER_CPU */          \
	X(MEM_PER_NODE, 101, UINT) /* SLURM_MEM_PER_NODE */                    \
	X(GROUP_LIMIT, 102, UINT) /* lowest of the memory cgroup, its parents */\
	X(GROUP, 103, STR) /* the cgroup with that limit, from the root */     \
	X(LIMIT_AS, 104, UINT) /* RLIMIT_AS */                                 \
	X(LIMIT_DATA, 105, UINT) /* RLIMIT_DATA */                             \
	X(NODE_MEMORY, 106, UINT) /* of the node: sysinfo() */                 \
	X(MAPPED_PEAK, 107, UINT) /* bytes; with RSS: VmPeak */                \
	/* START: upper bounds of the runtime's memory, in bytes */            \
	X(TOOL_START, 120, UINT) /* at start, with one thread */               \
	X(TOOL_THREAD, 121, UINT) /* of each further thread */                 \
	X(TOOL_PATHS, 122, UINT) /* of call paths, beyond that */              \
	/* END */                                                              \
	X(TOOL_RESIDENT, 123, UINT) /* bytes the runtime holds resident */     \
	/* PAGES */                                                            \
	X(EPOCH_FIRST, 130, UINT) /* number of the block's first, from 0 */    \
	X(EPOCHS, 131, UINT)                                                   \
	X(PAGE_SHIFT, 132, UINT) /* page numbers are addresses >> it */        \
	X(INTERVAL, 133, UINT) /* ns of CPU time asked for; 0: a budget */     \
	X(PAGES_END, 134, STR) /* why no further epochs come */                \
	/* the cost of watching pages so far: ns of CPU time of the runtime's  \
	 * thread; page faults, and an estimate of their ns */                 \
	X(WATCH_THREAD, 135, UINT)                                             \
	X(WATCH_FAULTS, 136, UINT)                                             \
	X(WATCH_FAULTS_NS, 137, UINT)                                          \
	/* in ACCESSES, for its thread */                                      \
	X(ACCESS_FIRST, 140, UINT) /* number of the first access, from 0 */    \
	X(ACCESSES, 141, UINT) /* in this block */                             \
	X(ACCESSES_LOST, 142, UINT) /* in no block; absent: none */            \
	X(ACCESS_STREAM, 143, UINT) /* its stream, perhaps of several threads */\
	X(ACCESS_BASE, 144, UINT) /* accesses of the stream before its own */  \
	/* any block; absent: none */                                          \
	X(ALL_ACCESSES_LOST, 145, UINT) /* of the process, in no block */      \
	X(ACCESS_ONLY, 146, STR) /* ACCESSES: WM_ACCESS_ONLY; absent: all */   \
	/* any block: WM_ACCESS_BURST, in ns; absent: all the time */          \
	X(BURST, 150, UINT) /* this part of BURST_EVERY is recorded */         \
	X(BURST_EVERY, 151, UINT)                                              \
	X(BURSTS_RECORDED, 152, UINT) /* so far */                             \
	X(BURSTS_ELAPSED, 153, UINT) /* since the first began */               \
	/* any block; absent: none is known */                                 \
	X(UNSEEN_LIBRARIES, 160, STR) /* they call another malloc */           \
	/* START; absent: handles are recorded, or there is no MPI */          \
	X(HANDLES_UNSEEN, 161, UINT) /* handles of MPI are not recorded */     \
	/* any block; absent: none is known */                                 \
	X(OVERWRITTEN, 162, STR) /* functions that miss later calls */

#define WMT_CLOCK_TSC 1 /* ticks of the time-stamp counter */
#define WMT_CLOCK_MONOTONIC 2 /* ticks are nanoseconds */

/* The unused half of the last byte. */
#define WMT_NIBBLE_NONE 15

/*
 * KIND as OPS: half bytes, low half first (docs/trace-format.md, 6.6).
 *   0 to 7  MALLOC; its predicted parts
 *   8 to 13 FREE; the way to its block
 *   14      another kind: 0 to 14, or 15 and two half bytes, low one first;
 *           then, by the kind, 0 to 7, 8 to 13 or nothing
 */
#define WMT_OP_STACK 1 /* the call path is as predicted */
#define WMT_OP_SIZE 2
#define WMT_OP_ADDR 4
#define WMT_OP_HANDLE1 8 /* a byte in column HANDLE */
#define WMT_OP_HANDLE2 9 /* two, low one first */
#define WMT_OP_OLD_ADDR 10 /* in FREE_ADDR */
#define WMT_OP_NEWEST 11 /* the block that was allocated last */
#define WMT_OP_NEXT 12 /* the block after the last released one */
#define WMT_OP_PREVIOUS 13 /* the block before it */
#define WMT_OP_KIND 14

#define WMT_OPS_STACKS 4096 /* remainders of call paths with predictions */
#define WMT_OPS_CLASSES 128 /* classes of sizes */
#define WMT_OPS_DEPTH 16 /* released addresses that each class keeps */
#define WMT_OPS_PLACES 65535 /* blocks that have handles at a time */
#define WMT_OPS_EVENTS 65535 /* at most, in a block that the runtime writes */

/* Encoding SEEN: earlier values of this column have numbers, from 1 on.  After
 * 0 a new value follows as a varint, and gets the next number while there are
 * numbers.  Numbers 1 to 239 are one byte, greater ones are two bytes: 240 +
 * (number - 240) / 256, and the remainder of this division. */
#define WMT_SEEN_BYTE 240
#define WMT_SEEN_LIMIT (WMT_SEEN_BYTE + 16 * 256)

/* Numbers of an epoch in column EPOCHS, in this order. */
#define WMT_EPOCH_LIST(X)                                                      \
	X(TIME) /* ns of CLOCK_MONOTONIC since the epoch before */             \
	X(CPU) /* ns of CPU time of the process, likewise */                   \
	X(ACCESSED) /* pages */                                                \
	X(WRITTEN) /* of them */                                               \
	X(RESIDENT) /* pages of covered memory that exist */                   \
	X(COVERED) /* pages of covered address space */                        \
	X(SCAN) /* ns of finding them */                                       \
	X(FLAGS) /* WMT_EPOCH_WRITTEN_ALONE, or 0 */

/* Only writes are known; ACCESSED is WRITTEN. */
#define WMT_EPOCH_WRITTEN_ALONE 1
/* Pages are from the program's hooks; the block has WHO and SAMPLES. */
#define WMT_EPOCH_HOOKED 2

/* Uses of a page by a thread, in WHO. */
#define WMT_WHO_READ 1
#define WMT_WHO_WRITTEN 2

/* The kind of a covered range: X(name, number). */
#define WMT_COVERED_LIST(X)                                                    \
	X(BREAK, 1) /* the heap's */                                           \
	X(MAPPING, 2)                                                          \
	X(STATIC, 3) /* .data and .bss */                                      \
	X(TLS, 4) /* of the main thread */                                     \
	X(STACK, 5) /* of another thread */

/* The memory that is not covered: X(name, number). */
#define WMT_NOT_COVERED_LIST(X)                                                \
	X(MAIN_STACK, 1)                                                       \
	X(FILES, 2)                                                            \
	X(SHARED, 3)                                                           \
	X(RUNTIME, 4) /* our own */                                            \
	X(LOCKED, 5)                                                           \
	X(PINNED, 6)                                                           \
	X(ANONYMOUS, 7) /* other memory without a file */                      \
	X(CODE, 8) /* and read-only data */
/* clang-format on */

/* Handles of MPI and HDF5 (docs/trace-format.md, 5.13): MPI_ALLOC and MPI_FREE
 * at an address without memory, which is made of class and value.  SIZE is the
 * number of the function that made the handle (wm/handle_list.h,
 * wm/hdf5_list.h).  Columns of addresses have room for differences below 2^62.
 * X(name, number); keys have the same values in each language. */
#define WMT_HANDLE_LIST(X)                                                     \
	X(REQUEST, 1)                                                          \
	X(OP, 2)                                                               \
	X(ERRHANDLER, 3)                                                       \
	X(INFO, 4)                                                             \
	X(COMM_KEY, 5)                                                         \
	X(TYPE_KEY, 6)                                                         \
	X(WIN_KEY, 7)                                                          \
	X(COMM, 8)                                                             \
	X(TYPE, 9)                                                             \
	X(GROUP, 10)                                                           \
	X(WIN, 11)                                                             \
	X(FILE, 12)                                                            \
	X(HDF5, 13)
#define WMT_HANDLE_SHIFT 57
#define WMT_HANDLE_LIMIT (1ull << 61)

/* Returns the size of a block, in units of 16 bytes, in an allocator with 16
 * bytes of alignment and 8 bytes of overhead. */
static inline uint64_t wmt_ops_units(uint64_t size)
{
	uint64_t units = (size + 23) / 16;

	return units < 2 ? 2 : units;
}

/* Whether the model of OPS knows the new or the old block of an event. */
#define WMT_OPS_NEW(kind)                                                      \
	((kind) == WMT_EV_MALLOC || (kind) == WMT_EV_CALLOC ||                 \
	 (kind) == WMT_EV_REALLOC_IN || (kind) == WMT_EV_REALLOC_NEW ||        \
	 (kind) == WMT_EV_ALIGNED || (kind) == WMT_EV_NEW)
#define WMT_OPS_OLD(kind)                                                      \
	((kind) == WMT_EV_FREE || (kind) == WMT_EV_REALLOC_OUT ||              \
	 (kind) == WMT_EV_DELETE)

#define WMT_X(name, number) WMT_BLOCK_##name = number,
enum wmt_block { WMT_BLOCK_LIST(WMT_X) WMT_BLOCK_LIMIT };
#undef WMT_X
#define WMT_X(name, number, s, a, f, x) WMT_EV_##name = number,
enum wmt_event { WMT_EVENT_LIST(WMT_X) WMT_EV_LIMIT };
#undef WMT_X
#define WMT_X(name, number) WMT_SAYING_##name = number,
enum wmt_saying { WMT_SAYING_LIST(WMT_X) };
#undef WMT_X
#define WMT_X(name, number, encoding) WMT_COL_##name = number,
enum wmt_column { WMT_COLUMN_LIST(WMT_X) WMT_COL_LIMIT };
#undef WMT_X
#define WMT_X(name, number) WMT_ENC_##name = number,
enum wmt_encoding { WMT_ENCODING_LIST(WMT_X) WMT_ENC_LIMIT };
#undef WMT_X
#define WMT_X(name, number, type) WMT_F_##name = number,
enum wmt_field { WMT_FIELD_LIST(WMT_X) WMT_F_LIMIT };
#undef WMT_X
#define WMT_X(name) WMT_EPOCH_##name,
enum wmt_epoch { WMT_EPOCH_LIST(WMT_X) WMT_EPOCH_NUMBERS };
#undef WMT_X
#define WMT_X(name, number) WMT_COVERED_##name = number,
enum wmt_covered { WMT_COVERED_LIST(WMT_X) WMT_COVERED_LIMIT };
#undef WMT_X
#define WMT_X(name, number) WMT_NOT_COVERED_##name = number,
enum wmt_not_covered { WMT_NOT_COVERED_LIST(WMT_X) WMT_NOT_COVERED_LIMIT };
#undef WMT_X
#define WMT_X(name, number) WMT_HANDLE_##name = number,
enum wmt_handle_class { WMT_HANDLE_LIST(WMT_X) };
#undef WMT_X

/* Encoding DELTA: the zigzag difference to the previous address of the column
 * (zero at the start of a block).  If both addresses are multiples of 16, the
 * difference is divided by 16 and the lowest bit of the code is 0; otherwise
 * the bit is 1.  Addresses have at most 61 significant bits. */
static inline uint64_t wmt_addr_code(uint64_t addr, uint64_t prev)
{
	int64_t d = (int64_t)(addr - prev);

	if ((addr | prev) & 15)
		return ((((uint64_t)d << 1) ^ (uint64_t)(d >> 63)) << 1) | 1;
	/* divided by 16 and doubled; the lost bits are 0 */
	return (uint64_t)((d >> 3) ^ (d >> 63)) << 1;
}

static inline uint64_t wmt_addr_decode(uint64_t code, uint64_t prev)
{
	uint64_t z = code >> 1, d = z >> 1 ^ -(z & 1);

	/* modulo 2^64, because a damaged column may have any difference */
	return prev + (code & 1 ? d : d * 16);
}

static inline uint64_t wmt_handle(unsigned class, uint64_t value)
{
	return (uint64_t) class << WMT_HANDLE_SHIFT |
	       (value & ((1ull << WMT_HANDLE_SHIFT) - 1));
}

static inline int wmt_is_handle(uint64_t addr)
{
	return addr >> WMT_HANDLE_SHIFT && addr < WMT_HANDLE_LIMIT;
}

#endif
