/* SPDX-License-Identifier: Apache-2.0 */
/* The memory that each thread of a rank allocated (pass threads), even if
 * another thread releases it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wm_thread_use {
	uint64_t number; /* in order of first events, from 0 */
	uint64_t tid; /* of the system; 0: unknown */
	bool main; /* the first thread of the process */
	uint32_t path; /* of one of its allocations, if .has_path */
	bool has_path;
	bool has_creator;
	uint32_t creator; /* path of the call that created the thread */
	uint64_t peak_bytes; /* highest live bytes of the thread's blocks */
	double peak_seconds, from, to; /* times of first and last event */
	/* calls that gave memory to the thread; a realloc is one call */
	uint64_t allocations, bytes;
	uint64_t freed_by_others; /* blocks of the thread */
};

struct wm_thread_hold {
	uint32_t thread; /* index, or WM_THREAD_OTHERS for several */
	uint32_t path;
	uint64_t peak_bytes, peak_blocks; /* as in wm_use */
	uint64_t end_bytes, end_blocks;
};
#define WM_THREAD_OTHERS UINT32_MAX

struct wm_threads {
	struct wm_thread_use *thread; /* by number */
	size_t count;
	struct wm_thread_hold *hold; /* in order of path, then of thread */
	size_t holds;
};

void wm_threads_release(struct wm_threads *t);
