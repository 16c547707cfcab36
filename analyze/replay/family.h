/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kinds of memory: X(name, in_peak).  Peaks, the lists of who holds memory and
 * what was never freed are of those with in_peak; the others stand apart.
 * Constant.
 */
#ifndef WM_ANALYZE_FAMILY_H
#define WM_ANALYZE_FAMILY_H

#include <stdint.h>

#define WM_FAMILY_LIST(X)                                                      \
	X(heap, 1) /* malloc, new and the like */                              \
	X(mapped, 1) /* mmap, brk */                                           \
	X(shm, 1) /* shared memory */                                          \
	X(mpi, 1) /* from MPI */                                               \
	X(stacks, 0) /* of threads */

#define WM_FAMILY_X(name, in_peak) WM_FAMILY_##name,
enum wm_family { WM_FAMILY_LIST(WM_FAMILY_X) WM_FAMILIES };
#undef WM_FAMILY_X
extern const uint8_t wm_family_in_peak[WM_FAMILIES];
extern const char *const wm_family_name[WM_FAMILIES];

#endif
