/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the creator of each thread: the call that created the thread made the
 * stack on which the thread runs (THREAD_STACK, docs/trace-format.md).
 *
 * Threads may use the same stack memory one after another.  A stack is recorded
 * when the call that creates its thread has returned, and the thread may have
 * its first event before that.  So the thread's stack is either the last one
 * recorded before its first event, or the first one recorded after it.  Each
 * stack has at most one thread, and stacks and threads are in order of time.
 * If two creators remain possible, the creator is unknown.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wm_thread_stack {
	uint64_t start, end; /* addresses */
	uint64_t time; /* ticks when the call had returned */
	uint32_t path; /* of the call */
};

struct wm_thread_born {
	uint64_t at; /* an address in its stack */
	uint64_t first; /* ticks of its first event */
	uint32_t index; /* for the caller */
	bool found;
	uint32_t path; /* of the call that created the thread */
	size_t low, high; /* stacks that the thread may have */
};

/* Fills .found and .path at @born, and reorders threads and stacks.  Every call
 * that creates a thread takes less than @long_ago ticks. */
void wm_thread_starts_find(struct wm_thread_born *born, size_t count,
			   struct wm_thread_stack *stack, size_t stacks,
			   uint64_t long_ago);
