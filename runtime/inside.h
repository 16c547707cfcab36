/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The analyzer's reader inside the traced process: what it gets instead of
 * libc, and its limits.
 *
 * One thread at a time, with all signals blocked.  The build renames the
 * reader's references to libc, and liblzma's (runtime/inside.syms): its memory
 * is mapped, counted, and given back whatever happens; files are read with
 * system calls; errno and the floating-point environment are not the program's.
 */
#ifndef WM_RUNTIME_INSIDE_H
#define WM_RUNTIME_INSIDE_H

#include <stddef.h>
#include <stdint.h>

#include "wm/replayed.h"

#include "runtime/hooks.h"

/*
 * Replay the first @size bytes of the trace that @open opens (a descriptor or a
 * negated errno), which are whole blocks (other threads may be adding to it),
 * with at most @bytes of memory and until @deadline, ns of CLOCK_MONOTONIC.
 */
enum wm_replay_result wm_inside_replay(int (*open)(int flags), uint64_t size,
				       size_t bytes, uint64_t deadline,
				       struct wm_replayed *out) wm_hidden;

/* Bytes that are still mapped after a replay: 0. */
size_t wm_inside_left(void) wm_hidden;
#endif
