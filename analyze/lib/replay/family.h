/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kinds of memory: X(name, space, blocks, kind, what).
 *
 * space: the memory space whose peak and lists include the family.  Families of
 * NO_SPACE are in no peak. blocks: 1 if the memory consists of blocks of an
 * allocator, which are freed whole; 0 if it consists of ranges of addresses,
 * parts of which may be unmapped. kind: the name in lists of pages. what: the
 * calls, for readers.
 */
#pragma once

#include <stdint.h>

#define WM_FAMILY_LIST(X)                                                      \
	X(heap, HOST, 1, "heap", "malloc, new and the like")                   \
	X(mapped, HOST, 0, "map", "mmap, brk")                                 \
	X(shm, HOST, 0, "map", "shared memory, whole in each rank")            \
	X(mpi, HOST, 1, "mpi", "MPI_Alloc_mem, MPI_Win_allocate")              \
	X(stacks, NO_SPACE, 0, "stack", "of threads; not part of the peak")

#define WM_FAMILY_X(name, ...) WM_FAMILY_##name,
enum wm_family { WM_FAMILY_LIST(WM_FAMILY_X) WM_FAMILIES };
#undef WM_FAMILY_X

/* Each space has live bytes and a peak of its own. */
enum wm_space { WM_HOST, WM_SPACES, WM_NO_SPACE = WM_SPACES };

extern const uint8_t wm_family_space[WM_FAMILIES];
extern const uint8_t wm_family_in_peak[WM_FAMILIES]; /* has a space */
extern const uint8_t wm_family_blocks[WM_FAMILIES];
extern const char *const wm_family_name[WM_FAMILIES];
extern const char *const wm_family_kind[WM_FAMILIES];
extern const char *const wm_family_what[WM_FAMILIES];
