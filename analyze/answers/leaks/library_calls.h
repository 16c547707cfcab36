/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the call of the program for which a library allocated memory.
 *
 * A library is code that the program's authors cannot look into: functions of
 * shared libraries, or of members of archives, without source lines.  The
 * program's call of the library is in the first function outwards that has
 * lines; if the program has no lines either, the call is in the first function
 * of the program's own objects.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/answers/leaks/handles.h"
#include "analyze/answers/heap/path_frames.h"

/* Returns the number of the frame in @f that called a library, so that all
 * frames before it are the library's; 0 if @f is no such path. */
size_t wm_library_caller(const struct wm_analysis *a,
			 const struct wm_path_frames *f);

/* Returns whether the name of one of the first @count frames is that of a
 * setup. */
bool wm_library_sets_up(const struct wm_path_frames *f, size_t count);

/* Returns whether @name is a function of HDF5, called from C or Fortran, that
 * gives the program only an identifier, or that closes one. */
bool wm_library_makes_ids(const char *name);

/* Returns a hash of the frames of @path inside of @caller.  Hashes are equal
 * for calls of one function that go on in the same way. */
uint64_t wm_path_below(const struct wm_analysis *a, uint32_t path,
		       const struct wm_frame *caller);

struct wm_library_uses {
	const struct wm_use *use; /* by call path */
	const struct wm_lifetime *lifetime; /* of the first lifetimes paths */
	size_t lifetimes;
	const uint8_t *trend; /* struct wm_handles */
	uint64_t ranks; /* the number of ranks that .use is of */
	bool ids; /* the trace has identifiers of HDF5 */
};

/* A path below a call of the program. */
struct wm_leaf {
	size_t maker; /* in wm/handle_list.h; of HDF5: WM_HDF5_FIRST; or 0 */
	const char *made; /* the function that was called, */
	struct wm_frame caller; /* and its caller */
	uint32_t path; /* other paths may be joined with this: next_path */
	uint64_t most; /* blocks left in the rank that has most */
	uint64_t blocks, bytes; /* of all ranks */
	bool sets_up; /* the leaf is of the library's setup */
	/* the blocks are the program's; their owner is unknown */
	bool lost, unknown;
	/* the trace has each of these handles, so they are not blocks */
	bool exact;
	const char *by; /* the library's function that made them; NULL: none */
	/* objects: a hash of the path inside of the caller, */
	uint64_t below;
	uint64_t way; /* the same hash without the function that was called */
	uint64_t made_blocks; /* blocks that were allocated */
	bool released; /* some of the blocks were released */
	bool grows, goes_on;
	bool repeated; /* calls in other lines left blocks in this way, too */
};

/* Calls in one line; .leaf has their paths in order of their numbers of
 * blocks. */
struct wm_call {
	struct wm_lost_handles lost;
	struct wm_leaf *leaf;
	size_t leaves;
	uint64_t unknown; /* bytes whose owner is not known, to sort by */
};

/* A walk is empty if all but .a and .in is zero. */
struct wm_library_walk {
	const struct wm_analysis *a;
	const struct wm_library_uses *in;
	struct wm_path_frames frames;
	struct wm_call *call;
	size_t calls;
	struct wm_leaf *leaf;
	size_t leaves, leaf_cap;
	uint32_t *next_path; /* of one leaf; 0: there is none; or NULL */
};

/* Adds a leaf called by frame number @caller of @f.  Returns NULL if memory is
 * short. */
struct wm_leaf *wm_walk_add(struct wm_library_walk *w,
			    const struct wm_path_frames *f, size_t caller,
			    uint32_t path);

/* Passes each call path to @look, which may add a leaf for it. */
enum wm_status wm_walk_paths(struct wm_library_walk *w,
			     enum wm_status (*look)(struct wm_library_walk *w,
						    uint32_t path,
						    struct wm_err *err),
			     struct wm_err *err);

/* Compares two leaves by call; 0: the call is the same. */
int wm_walk_compare(const struct wm_leaf *x, const struct wm_leaf *y);

/* Groups leaves into calls and passes each call to @judge. */
enum wm_status wm_walk_calls(struct wm_library_walk *w,
			     void (*judge)(const struct wm_library_walk *w,
					   struct wm_call *c),
			     struct wm_err *err);

/* Adds the lost blocks after those that @h has, most bytes first. */
enum wm_status wm_walk_put_lost(struct wm_library_walk *w, struct wm_handles *h,
				struct wm_err *err);
/* Adds, after these, calls with blocks of unknown owners, and blocks that are
 * kept. */
enum wm_status wm_walk_put_kept(struct wm_library_walk *w, struct wm_handles *h,
				struct wm_err *err);
void wm_walk_release(struct wm_library_walk *w);
