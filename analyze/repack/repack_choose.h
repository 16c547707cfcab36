/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --repack: how the bytes of a column of events are stored.
 *
 * LZMA2 makes repetitive columns a tenth of what frequencies alone do, but of
 * others little less, and then takes many times as long to read as all the
 * rest.  So LZMA2 stays where it is worth its time; else the column is packed
 * (analyze/trace/rans.h), or stored as it is.
 *
 * The caller owns the struct, zeroed at first; one thread at a time.
 */
#ifndef WM_ANALYZE_REPACK_CHOOSE_H
#define WM_ANALYZE_REPACK_CHOOSE_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/base/error.h"
#include "analyze/repack/repack_columns.h"
#include "analyze/repack/repack_stream.h"

struct wm_chooser {
	struct wm_packed other; /* a second try */
	struct wm_octets rans[2];
};

/* One way to code the values of a column. */
struct wm_way {
	const struct wm_octets *bytes;
	uint8_t encoding;
	struct wm_like *like; /* of these columns, coded this way */
};

/*
 * The best of @n (1 or 2) ways to @to; returns with *@encoding, perhaps
 * with WMT_ENC_PACKED.  @planes: as wm_rans_pack() takes them.
 */
enum wm_status wm_choose(struct wm_chooser *c, const struct wm_way *way,
			 size_t n, size_t planes, struct wm_packed *to,
			 uint8_t *encoding, struct wm_err *err);
void wm_chooser_release(struct wm_chooser *c);

#endif
