/* SPDX-License-Identifier: Apache-2.0 */
/* --repack: the new trace. */
#pragma once

#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/trace/reader.h"

struct wm_rewritten {
	uint64_t blocks; /* that were written anew */
	uint64_t tail; /* of the original: the bytes from here on stay */
	uint64_t at; /* of the new trace: where they begin */
};

/*
 * Writes trace @t, which is open up to its first damage, to @fd.  If the
 * columns of a block are damaged, the tail begins with that block, and
 * t->damage has the reason.
 */
enum wm_status wm_repack_write(struct wm_trace *t, int fd,
			       struct wm_rewritten *done, struct wm_err *err);
