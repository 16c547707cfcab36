/* SPDX-License-Identifier: Apache-2.0 */
/* --repack: the new trace is read again before it replaces the old one. */
#pragma once

#include "analyze/lib/base/error.h"
#include "analyze/answers/repack/repack_write.h"
#include "analyze/lib/trace/reader.h"

/*
 * Compares the trace at @path with @t, block by block and byte by byte, after
 * packed columns are unpacked.  Returns WM_BAD_INPUT if they differ.
 */
enum wm_status wm_repack_verify(struct wm_trace *t, const char *path,
				const struct wm_rewritten *done,
				struct wm_err *err);
