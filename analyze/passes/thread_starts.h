/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The creator of each thread: the stack that a thread runs on was made by the
 * call that created the thread (THREAD_STACK, docs/trace-format.md).
 *
 * The same memory is the stack of one thread after the other.  The stack is
 * recorded when the call that created the thread has returned, and the thread
 * may have its first event before that.  So the thread's stack is either the
 * last one recorded before that event, or the first one after it.  Each stack
 * has one thread at most, and both are in order of time.  If two creators still
 * remain, the creator is unknown.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A stack, as it was recorded. */
struct wm_thread_stack {
	uint64_t start, end; /* addresses */
	uint64_t time; /* ticks, when the call had returned */
	uint32_t path; /* of the call */
};

/* A thread whose creator is looked for. */
struct wm_thread_born {
	uint64_t at; /* an address in its stack */
	uint64_t first; /* ticks of its first event */
	uint32_t index; /* the caller's */
	bool found;
	uint32_t path; /* the call path of the creator, if found */
	size_t low, high; /* the range of stacks that the thread may have */
};

/*
 * Fills .found and .path of @count threads at @born.  The threads and the
 * stacks are put in another order.  No call that creates a thread takes
 * @long_ago ticks.
 */
void wm_thread_starts_find(struct wm_thread_born *born, size_t count,
			   struct wm_thread_stack *stack, size_t stacks,
			   uint64_t long_ago);
