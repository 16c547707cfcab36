/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside wmt-make: what its statements have set so far (wmt-make.c), and how
 * that becomes the blocks of a trace (make_trace.c).
 */
#ifndef WM_TESTS_MAKE_H
#define WM_TESTS_MAKE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <stdbool.h>

#include "tests/tools/fixture.h"

#define BASE 0x401000ull
#define FUNCTION 0x100

struct module {
	uint64_t bias, first, end;
	char *path;
	uint8_t id[64];
	size_t id_size;
};

struct path {
	char *text;
	uint64_t *frame;
	int depth, cap;
	unsigned generation;
	uint64_t number;
};

struct frame {
	uint64_t addr;
	size_t parent; /* 0: none; else its place, counted from 1 */
};

struct thread {
	struct fix_event *event;
	size_t n, cap;
	uint64_t done; /* events that blocks have */
};

struct make {
	const char *dir;
	char *program, *id, *exe, *host, *elf, *file, *end;
	uint8_t build_id[64];
	size_t build_id_size;
	unsigned clock, shift, major, minor, field_tag;
	unsigned claim,
		claims; /* column claim is coded as claims; 0: as it is */
	char *field;
	double tick_ns;
	char *boot;
	uint64_t mono, real; /* at start; real: ahead of mono */
	struct {
		uint64_t start, mono, real;
	} clock_of; /* the rank that is being written */
	uint64_t start, block_events, dropped, rank, ranks, sequence, now;
	int level, real_rank, list_modules, plain, gaps;
	int packed, later;
	char *crash_buffer; /* of the rank that is being written */
	/* version of the crash buffers that processes have; 0: none */
	unsigned crash_buffers;
	FILE *out;
	struct module module[64];
	int modules;
	char *name[4096];
	int names;
	struct path *path;
	size_t paths, path_cap;
	unsigned generation;
	uint64_t known, sent; /* paths of the generation */
	struct frame *frame; /* of those that are sent, as TREE */
	size_t frames, frame_cap;
	char *said[4096]; /* names of the program; number 1 is said[0] */
	uint64_t said_count, said_sent, paused;
	uint64_t exit_status, mpi; /* of END; status: + 1 */
	struct thread thread[16384];
	uint64_t thread_at[16384]; /* THREAD_AT; 0: not told */
	unsigned threads, at;
	uint64_t total, mutate;
	uint64_t rss, peak_rss; /* RSS of blocks of events, 0: none; of END */
};

extern struct make g;

char *copy(const char *s);
void set(char **to, char *text);

/* Numbers of a call path and of a name that the program says. */
uint64_t path_number(const char *text);
uint64_t said(const char *name);

const struct path *path_by_number(uint64_t n);
/* The three clocks when the first one is @ticks. */
void clocks(uint64_t v[3], uint64_t ticks);

uint64_t rnd(uint64_t *s);
void add_event(unsigned kind, uint64_t addr, uint64_t size, uint64_t stack);
/* Write what is pending; finish_rank() also END, and closes the file. */
void put_all(void);
void finish_rank(void);
/* The defaults of a description of the run @dir, which is made. */
void make_begin(const char *dir);
/* The executable g.elf with a symbol for each name of a path so far. */
void make_elf(void);
/* make_crash_buffer.c: what is pending goes into the crash buffer @path
 * instead. */
void put_crash_buffer(const char *path);
/* Begin the file of rank g.rank of g.ranks. */
void begin_rank(void);

/* A block with what every one has; releases it. */
void put_block(struct fix_block *b);

/* make_pages.c: the epochs of a block PAGES, and then the block. */
void pages_begin(void);
void pages_epoch(char **words);
void pages_covered(int is, const char *a, const char *b);
void pages_lose(uint64_t n);
void pages_writes_alone(void);
void pages_watch_cost(int i, uint64_t n);
void pages_touches(const char *column, char *bytes);
void pages_block(const char *end);
struct fix_bytes pages_log(void);

/* make_accesses.c: a block with @n accesses of the present thread; @tokens: bytes
 * in hex. */
void accesses_begin(void);
void accesses_block(uint64_t n, uint64_t stream, uint64_t base, char *tokens,
		    bool lists);

#endif
