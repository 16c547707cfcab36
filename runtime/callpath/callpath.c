/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/callpath/callpath.h"

#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include <errno.h>

#include "runtime/arch/machine.h"
#include WM_MACHINE_HEADER(frames.h)

#include "runtime/base/on_stack.h"
#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/callpath/frame_tree.h"
#include "runtime/callpath/modules.h"
#include "runtime/callpath/pathdb.h"
#include "runtime/callpath/unwind_frames.h"
#include "runtime/callpath/unwind_walk.h"

#define FRAMES_START 1000
#define FRAMES_LIMIT (64u << 20)

static bool more_frames(struct wm_slot *s)
{
	size_t room = s->frame_room ? 2 * s->frame_room : FRAMES_START;
	void **p;

	if (room > FRAMES_LIMIT)
		return false;
	p = wm_pool_map(room * sizeof(*p));
	if (!p)
		return false;
	if (s->frames)
		wm_pool_unmap(s->frames, s->frame_room * sizeof(*p));
	s->frames = p;
	s->frame_room = room;
	return true;
}

/* unw_backtrace() caches facts about an address for ever, so it is not used
 * after a dlclose(). */
static __attribute__((noinline)) size_t step_by_step(void **frames, size_t room)
{
	unw_context_t context;
	unw_cursor_t cursor;
	unw_word_t ip;
	size_t n = 0;

	unw_flush_cache(unw_local_addr_space, 0, 0);
	unw_getcontext(&context);
	if (unw_init_local(&cursor, &context) < 0)
		return 0;
	while (n < room && unw_step(&cursor) > 0 &&
	       unw_get_reg(&cursor, UNW_REG_IP, &ip) == 0)
		frames[n++] = (void *)ip;
	return n;
}

void wm_callpath_forget(void)
{
	unw_flush_cache(unw_local_addr_space, 0, 0);
}

size_t wm_callpath_bytes(void)
{
	return wm_walk_bytes() + FRAMES_START * sizeof(void *) +
	       WM_ASIDE_BYTES + 4 * WM_PAGE;
}

static void hash_path(struct wm_callpath *p)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->depth; i++)
		sum += p->frames[i] * wm_path_weight(i);
	p->hash = wm_path_mix(sum, p->depth);
}

/* Makes a path of the @n frames at @f, innermost first, by reversing them in
 * place. */
static void reverse_frames(struct wm_callpath *path, void **f, size_t n)
{
	for (size_t i = 0, j = n - 1; i < j; i++, j--) {
		void *t = f[i];

		f[i] = f[j];
		f[j] = t;
	}
	path->frames = (const void *)f;
	path->depth = n;
}

static void caller_alone(const uintptr_t *frame, struct wm_callpath *path)
{
	path->frames = (const void *)wm_frame_slot(frame);
	path->depth = 1;
	path->cut = false;
	hash_path(path);
}

/* Without the runtime's own frames.  A path of libunwind that lacks the caller
 * cannot be trusted; then the path is only the caller. */
__attribute__((noinline)) void wm_callpath_unwind(struct wm_slot *s,
						  const uintptr_t *frame,
						  struct wm_callpath *path)
{
	size_t n = 0, at = 0, room;
	void **f = NULL;
	int saved = errno;

	caller_alone(frame, path);
	path->cut = !s->frames && !more_frames(s);
	if (path->cut)
		goto out;
	do {
		/* These copies are needed: a signal handler may fork, and the
		 * child's slot is wiped. */
		f = s->frames;
		room = s->frame_room;
		if (!f)
			goto out;
		n = wm_unlikely(atomic_load(&wm_closings)) ?
			    step_by_step(f, room) :
			    (size_t)unw_backtrace(f, (int)room);
		path->cut = n >= room;
	} while (path->cut && more_frames(s));
	while (at < n && (uintptr_t)f[at] != frame[1])
		at++;
	if (at >= n)
		goto out;
	reverse_frames(path, f + at, n - at);
	hash_path(path);
out:
	errno = saved;
}

static __attribute__((noinline)) void follow_pointers(struct wm_slot *s,
						      const uintptr_t *frame,
						      struct wm_callpath *path)
{
	void *page = s->page, **f; /* copies, as in wm_callpath_unwind() */
	size_t n, room;

	caller_alone(frame, path);
	if (!page)
		s->page = page = wm_pool_map(WM_PAGE);
	path->cut = !page || (!s->frames && !more_frames(s));
	if (path->cut)
		return;
	do {
		f = s->frames;
		room = s->frame_room;
		if (!f)
			return;
		n = wm_frames_walk(frame, page, f, room);
		path->cut = n == room;
	} while (path->cut && more_frames(s));
	/* cppcheck-suppress uninitvar ; the loop sets both */
	reverse_frames(path, f, n);
	hash_path(path);
}

/* Called only if the frames are needed: most paths are known by their hash. */
static void need_frames(struct wm_callpath *path)
{
	if (path->walk) {
		path->depth = wm_walk_path(path->walk, &path->frames);
		path->cut = false;
	}
	path->walk = NULL;
}

static __attribute__((noinline)) void
compare_unwinders(struct wm_slot *s, const uintptr_t *frame,
		  struct wm_callpath *path)
{
	bool walked = path->walk != NULL, differ;
	struct wm_callpath other = { 0 };

	need_frames(path);
	wm_callpath_unwind(s, frame, &other);
	differ = walked &&
		 (other.depth != path->depth || other.hash != path->hash);
	for (size_t i = 0; walked && !differ && i < path->depth; i++)
		differ = other.frames[i] != path->frames[i];
	atomic_fetch_add(&wm_state->unwind_checked, walked);
	atomic_fetch_add(&wm_state->unwind_differed, differ);
	*path = other;
}

void wm_callpath_capture(struct wm_slot *s, const uintptr_t *frame,
			 struct wm_callpath *path)
{
	path->depth = path->hash = 0;
	path->walk = NULL;
	if (wm_unlikely(wm_options.unwind == WM_UNWIND_NONE)) {
		caller_alone(frame, path);
		return;
	}
	if (wm_unlikely(wm_options.unwind == WM_UNWIND_FRAMES)) {
		follow_pointers(s, frame, path);
		return;
	}
	if (wm_likely(wm_options.unwind != WM_UNWIND_LIBUNWIND)) {
		struct wm_walk *walk = s->walk; /* a copy, see above */

		uint32_t now = atomic_load_explicit(&wm_closings,
						    memory_order_acquire);

		if (wm_unlikely(!walk)) {
			walk = wm_walk_new();
			if (walk)
				wm_walk_begin(walk, s->tid == wm_state->pid);
			s->walk = walk;
		}
		if (wm_unlikely(s->closings != now && walk)) {
			wm_walk_forget(walk);
			s->closings = now;
		}
		if (wm_options.unwind == WM_UNWIND_TABLE)
			/* During a dlclose() each path is checked
			 * (decisions.md, Call paths: dlclose). */
			s->quick = wm_is_closing() ? NULL : walk;
		if (wm_likely(walk != NULL))
			path->hash = wm_walk_capture(walk, frame);
		if (wm_likely(path->hash))
			path->walk = walk;
	}
	if (wm_unlikely(wm_options.unwind == WM_UNWIND_CHECK))
		compare_unwinders(s, frame, path);
	else if (wm_unlikely(!path->walk))
		wm_callpath_unwind(s, frame, path);
}

uint32_t wm_callpath_quick(const struct wm_slot *s, const uintptr_t *frame)
{
	if (!s->walk || wm_is_closing() ||
	    s->closings !=
		    atomic_load_explicit(&wm_closings, memory_order_acquire))
		return WM_PATHDB_FULL;
	return wm_walk_number(s->walk, frame, s->generation);
}

uint32_t wm_callpath_of_caller(const struct wm_slot *s, const uintptr_t *frame)
{
	uint32_t generation = 0, number;
	struct wm_callpath path;

	if (wm_is_closing())
		return WM_PATHDB_FULL;
	caller_alone(frame, &path);
	number = wm_pathdb_find(path.hash, &generation);
	return generation == s->generation ? number : WM_PATHDB_FULL;
}

bool wm_callpath_agrees(struct wm_callpath *path)
{
#ifdef WM_DYNAMIC
	need_frames(path);
	return wm_modules_agree(path->frames, path->depth);
#else
	(void)path;
	return true;
#endif
}

static void keep_inner(struct wm_callpath *path, size_t depth)
{
	path->frames += path->depth - depth;
	path->depth = depth;
	path->cut = true;
	hash_path(path);
}

bool wm_callpath_halve(struct wm_callpath *path)
{
	if (path->depth < 2)
		return false;
	keep_inner(path, path->depth / 2);
	return true;
}

uint32_t wm_callpath_number(struct wm_callpath *path, bool without,
			    uint32_t *generation)
{
	size_t deepest = wm_frame_tree_deepest();

	need_frames(path);
	if (path->depth > deepest)
		keep_inner(path, deepest);
	return wm_pathdb_number(path->frames, path->depth, path->hash, without,
				generation);
}

void wm_callpath_check(const struct wm_callpath *path, uint32_t number,
		       uint32_t generation, uint32_t quick)
{
	if ((quick != WM_PATHDB_FULL && quick != number) ||
	    (number && number < WM_PATHDB_SEND &&
	     !wm_pathdb_agrees(number, generation, path->frames, path->depth)))
		atomic_fetch_add(&wm_state->unwind_differed, 1);
}
