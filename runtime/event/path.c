/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/event/slot.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "runtime/callpath/callpath.h"
#include "runtime/callpath/pathdb.h"
#include "runtime/trace/writer.h"

#define MAX_TRIES 8

/* Forgets paths through unmapped libraries if @path shows that, during a
 * dlclose, another library was mapped in the place of one of them. */
static __attribute__((noinline)) void check_modules(struct wm_callpath *path)
{
#ifdef WM_DYNAMIC
	if (!wm_callpath_agrees(path))
		wm_writer_library_closed();
#else
	(void)path;
#endif
}

/* Makes room for a path in the dictionary and the crash buffer, and returns its
 * number.  A path that does not fit an empty dictionary is cut to its inner
 * part.  If there is still no room, the number is that of the empty path. */
static uint32_t number_new(struct wm_callpath *path, uint32_t *generation)
{
	uint32_t n = WM_PATHDB_FULL;
	bool without = false, emptied = false;

	for (int tries = 0; tries < MAX_TRIES; tries++) {
		n = wm_callpath_number(path, without, generation);
		if (n == WM_PATHDB_SEND)
			without = !wm_writer_send_paths();
		else if (n != WM_PATHDB_FULL ||
			 (emptied && !wm_callpath_halve(path)))
			break;
		else
			emptied = true;
		if (n == WM_PATHDB_FULL)
			wm_writer_new_generation(*generation);
	}
	if (n == WM_PATHDB_FULL || n == WM_PATHDB_SEND)
		n = 0;
	if (n != WM_PATHDB_NONE && (path->cut || !n))
		atomic_fetch_add(&wm_state->paths_cut, 1);
	return n;
}

uint32_t wm_path_capture(struct wm_slot *s, const uintptr_t *frame)
{
	uint32_t generation = s->generation, number = WM_PATHDB_FULL;
	uint32_t quick = WM_PATHDB_FULL;
	struct wm_callpath path;

	if (wm_unlikely(wm_options.unwind == WM_UNWIND_CHECK))
		quick = wm_callpath_quick(s, frame);
	wm_callpath_capture(s, frame, &path);
	if (wm_is_closing())
		check_modules(&path);
	if (path.walk)
		number = wm_pathdb_find(path.hash, &generation);
	if (number == WM_PATHDB_FULL)
		number = number_new(&path, &generation);
	if (wm_unlikely(wm_options.unwind == WM_UNWIND_CHECK))
		wm_callpath_check(&path, number, generation,
				  generation == s->generation ? quick :
								WM_PATHDB_FULL);
	if (wm_unlikely(generation != s->generation))
		wm_writer_new_filling(s, generation);
	return number;
}
