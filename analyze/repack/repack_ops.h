/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --repack: many events of one thread become the columns of one block, KIND
 * coded as OPS (docs/trace-format.md, 6.6).
 *
 * Unlike the runtime's encoder this one knows the place of every block in the
 * list and the number of every value, whatever that takes.  The numbers of
 * OPS_KNOWN go on from one call to the next.  The encoder owns
 * its tables and is used again; one thread at a time.
 */
#ifndef WM_ANALYZE_REPACK_OPS_H
#define WM_ANALYZE_REPACK_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/base/error.h"
#include "analyze/repack/repack_columns.h"
#include "analyze/trace/reader.h"

struct wm_ops_encoder;

/* @known: KIND as OPS_KNOWN. */
struct wm_ops_encoder *wm_ops_encoder_new(bool known);
void wm_ops_encoder_free(struct wm_ops_encoder *e);

/*
 * Fill the columns of events in @out, which are emptied first; times are in
 * units of 1 << TIME_SHIFT.  STACK and
 * SIZE are made twice: @plain takes them as varints, @out as SEEN.
 */
enum wm_status wm_ops_encode(struct wm_ops_encoder *e,
			     const struct wm_event *ev, size_t n,
			     struct wm_columns_out *out,
			     struct wm_octets plain[2], struct wm_err *err);

#endif
