/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the call of the program for which a library allocated memory.
 *
 * A library is code that the program's authors cannot look into: functions
 * without source lines in shared libraries or in members of archives.  The
 * program's call is in the first function outwards that has lines or, if the
 * program has no lines, in the first function of the program's own objects.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/answers/leaks/handles.h"
#include "analyze/answers/heap/path_frames.h"

/* Returns the number of the frame in @f that called a library: all frames
 * before it are the library's.  Returns 0 if @f has no such frame. */
size_t wm_library_caller(const struct wm_analysis *a,
			 const struct wm_path_frames *f);

/* Returns whether one of the first @count frames is a setup function. */
bool wm_library_sets_up(const struct wm_path_frames *f, size_t count);

/* Returns whether @name is a function of HDF5, called from C or Fortran, that
 * closes an identifier or gives the program nothing but an identifier. */
bool wm_library_makes_ids(const char *name);

/* Returns a hash of the frames of @path inside of @caller.  The hash is the
 * same for calls of one function that go on in the same way. */
uint64_t wm_path_below(const struct wm_analysis *a, uint32_t path,
		       const struct wm_frame *caller);

struct wm_library_uses {
	const struct wm_use *use; /* by call path */
	const struct wm_lifetime *lifetime; /* of the first .lifetimes paths */
	size_t lifetimes;
	const uint8_t *trend; /* see struct wm_handles */
	uint64_t ranks; /* ranks that .use is of */
	bool ids; /* the trace has identifiers of HDF5 */
};

struct wm_leaf {
	/* number in wm/handle_list.h; HDF5: WM_HDF5_FIRST; else 0 */
	size_t maker;
	const char *made; /* the function that was called */
	struct wm_frame caller; /* the frame that called .made */
	uint32_t path; /* first of the paths that are joined: see .next_path */
	uint64_t most; /* blocks left in the rank that has most */
	uint64_t blocks, bytes; /* of all ranks */
	bool sets_up; /* it is from the setup of the library */
	/* the blocks are the program's; their owner is unknown */
	bool lost, unknown;
	/* the trace has each of these handles, which are no blocks */
	bool exact;
	const char *by; /* the library function that made them; or NULL */
	uint64_t below; /* objects: hash of the path inside of .caller */
	uint64_t way; /* the same hash without the function that was called */
	uint64_t made_blocks; /* blocks that were allocated */
	bool released; /* some of these blocks were released */
	bool grows, goes_on;
	bool repeated; /* calls in other lines left blocks so, too */
};

/* Calls in one line, with their leaves in order of .most. */
struct wm_call {
	struct wm_lost_handles lost;
	struct wm_leaf *leaf;
	size_t leaves;
	uint64_t unknown; /* bytes whose owner is unknown, as a sort key */
};

/* Zero all but .a and .in to make an empty walk. */
struct wm_library_walk {
	const struct wm_analysis *a;
	const struct wm_library_uses *in;
	struct wm_path_frames frames;
	struct wm_call *call;
	size_t calls;
	struct wm_leaf *leaf;
	size_t leaves, leaf_cap;
	/* next path of the same leaf, or 0; NULL: no leaves are joined */
	uint32_t *next_path;
};

/* Adds a leaf called by frame @caller of @f, or returns NULL (no memory). */
struct wm_leaf *wm_walk_add(struct wm_library_walk *w,
			    const struct wm_path_frames *f, size_t caller,
			    uint32_t path, size_t maker);

enum wm_status wm_walk_paths(struct wm_library_walk *w,
			     enum wm_status (*look)(struct wm_library_walk *w,
						    uint32_t path,
						    struct wm_err *err),
			     struct wm_err *err);

/* By call; returns 0 if the call is the same. */
int wm_walk_compare(const struct wm_leaf *x, const struct wm_leaf *y);

enum wm_status wm_walk_calls(struct wm_library_walk *w,
			     void (*judge)(const struct wm_library_walk *w,
					   struct wm_call *c),
			     struct wm_err *err);

/* Adds the lost blocks after the elements of @h, most bytes first. */
enum wm_status wm_walk_put_lost(struct wm_library_walk *w, struct wm_handles *h,
				struct wm_err *err);
/* Then adds calls with blocks of unknown owners, and blocks that are kept. */
enum wm_status wm_walk_put_kept(struct wm_library_walk *w, struct wm_handles *h,
				struct wm_err *err);
void wm_walk_release(struct wm_library_walk *w);

/* library_objects.c: adds objects of libraries, the blocks that libraries keep,
 * and the blocks of unknown owners to @h, whose arrays by call path must
 * exist. */
enum wm_status wm_library_objects_find(struct wm_handles *h,
				       const struct wm_analysis *a,
				       const struct wm_library_uses *in,
				       struct wm_err *err);
