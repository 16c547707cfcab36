/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call path of an allocation: libunwind walks, the dictionary numbers.
 */
#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include <errno.h>

#include "runtime/pool.h"
#include "runtime/stackdb.h"
#include "runtime/state.h"
#include "runtime/writer.h"

#define FRAMES_START 1000
#define FRAMES_LIMIT (64u << 20) /* so that a broken stack ends somewhere */

/* Twice the scratch; 0 when there is no memory for it. */
static int more_frames(struct wm_slot *s)
{
	size_t room = s->frame_room ? 2 * s->frame_room : FRAMES_START;
	void **p;

	if (room > FRAMES_LIMIT)
		return 0;
	p = wm_pool_map(room * sizeof(*p));
	if (!p)
		return 0;
	if (s->frames)
		wm_pool_unmap(s->frames, s->frame_room * sizeof(*p));
	s->frames = p;
	s->frame_room = room;
	return 1;
}

/*
 * The path from @caller outwards into s->frames; returns its first frame and
 * the count.  The runtime's own frames are cut off; a path that does not hold
 * the caller can not be trusted, then the caller stands alone.
 */
static void **walk(struct wm_slot *s, const void *caller, size_t *count)
{
	int n, room, at = 0;
	void **frames;

	do {
		/* a copy: a handler may fork, and the child's slot is wiped */
		frames = s->frames;
		room = (int)s->frame_room;
		if (wm_unlikely(!frames)) {
			*count = 0;
			return NULL;
		}
		n = unw_backtrace(frames, room);
	} while (wm_unlikely(n >= room) && more_frames(s));
	while (at < n && frames[at] != caller)
		at++;
	if (wm_unlikely(at >= n)) {
		frames[0] = (void *)(uintptr_t)caller;
		*count = 1;
		return frames;
	}
	*count = (size_t)(n - at);
	return frames + at;
}

uint32_t wm_stack_take(struct wm_slot *s, const void *caller)
{
	uint32_t generation, number = 0;
	void *alone[1] = { (void *)(uintptr_t)caller };
	void **frames = alone;
	size_t count = 1;
	int saved = errno;

	if (wm_likely(wm_options.unwind) &&
	    (wm_likely(s->frames != NULL) || more_frames(s)))
		frames = walk(s, caller, &count);
	errno = saved;
	for (int tries = 0; tries < 2; tries++) {
		number = wm_stackdb_number(frames, count, &generation);
		if (wm_likely(number != WM_STACKDB_FULL))
			break;
		wm_writer_new_generation(generation);
	}
	if (wm_unlikely(number == WM_STACKDB_FULL))
		number = 0; /* the empty path */
	if (wm_unlikely(generation != s->generation)) {
		wm_writer_flush(s);
		s->generation = generation;
	}
	return number;
}
