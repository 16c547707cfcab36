/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library that reads traces (wmreader(3)): it returns one trace of one
 * process as changes of live memory in order, each with its call path.
 *
 * A reader belongs to one thread at a time; several readers may be open.  The
 * library prints nothing and sets nothing for the process.  Memory that
 * functions return belongs to the reader, up to wm_reader_close().
 */
#ifndef WM_READER_H
#define WM_READER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Raised when a struct below grows at its end; nothing else changes. */
#define WM_READER_VERSION 1

struct wm_reader;

struct wm_reader_process {
	const char *program, *run_id, *host; /* NULL: not known */
	uint64_t rank, ranks; /* ranks: 0: not known */
	uint64_t pid;
	double seconds; /* from the start of the process to the last block */
	uint64_t exit_status; /* UINT64_MAX: not known */
	int ended; /* 0: the trace has no end, the process was killed */
	const char *damage; /* why reading stops; NULL: it does not */
};

struct wm_reader_change {
	double seconds; /* since the process started */
	uint64_t address, bytes; /* requested bytes */
	uint32_t path; /* argument of wm_reader_path() */
	uint32_t thread; /* number in the trace */
	uint8_t family; /* argument of wm_reader_family() */
	uint8_t freed; /* 0: the bytes became live; 1: they were freed */
};

struct wm_reader_frame {
	const char *module; /* file of the program or library; NULL: none */
	const uint8_t *build_id;
	size_t build_id_bytes;
	uint64_t offset; /* return address in it, without the load bias */
};

/* Opens the trace at @path.  If that fails, returns NULL and stores the reason
 * in @why, which has @room bytes. */
struct wm_reader *wm_reader_open(const char *path, char *why, size_t room);
void wm_reader_close(struct wm_reader *reader); /* NULL is allowed */

const struct wm_reader_process *
wm_reader_process(const struct wm_reader *reader);

/* Stores the next change in @change.  Returns 1 if there is one, 0 if all
 * changes have been read, and -1 if a block is damaged or memory is short; then
 * wm_reader_why() returns the reason.  realloc() is a change that frees,
 * followed by a change with the same time that makes memory live.  When part of
 * a mapping is unmapped, all of the mapping is freed, and the rest becomes live
 * again. */
int wm_reader_next(struct wm_reader *reader, struct wm_reader_change *change);
const char *wm_reader_why(const struct wm_reader *reader);

/* Stores the frames of call path @path, innermost first, in @frame, which has
 * room for @room frames.  Returns the number of frames of the path. */
size_t wm_reader_path(const struct wm_reader *reader, uint32_t path,
		      struct wm_reader_frame *frame, size_t room);

/* Returns "heap", "mapped", "shm", "mpi" or "stacks", or NULL if it is
 * unknown. */
const char *wm_reader_family(unsigned family);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
