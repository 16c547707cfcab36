/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --repack: what a trace consists of, and which of its blocks can be joined.
 *
 * A plan owns all that it points to.  One thread at a time.
 */
#ifndef WM_ANALYZE_REPACK_PLAN_H
#define WM_ANALYZE_REPACK_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/base/error.h"
#include "analyze/repack/repack_columns.h"
#include "analyze/trace/decode.h"
#include "analyze/trace/parts.h"
#include "analyze/trace/reader.h"
#include "analyze/trace/xz.h"

/* One block of the file, by its number. */
struct wm_repack_plan_block {
	uint64_t offset;
	size_t head, head_size; /* in wm_repack_plan.heads */
	uint8_t type;
	uint8_t stays; /* not to be joined, but written as it is */
	uint8_t joined; /* it stands for others */
	uint8_t numbered; /* it has EVENT_FIRST */
	uint8_t has[WMT_COL_LIMIT]; /* columns */
	/* of EVENTS */
	uint64_t thread, tid, at, events, event_first;
	uint64_t time_first, time_last, shift;
	/* of all */
	uint64_t generation, stack_first, stacks, name_first, parts;
	/* of DICT */
	uint64_t dict_encoding, frame_first, frames;
};

struct wm_repack_plan {
	struct wm_trace t;
	struct wm_repack_plan_block *block;
	size_t count, cap;
	struct wm_octets heads;
	uint64_t tail; /* from here on nothing can be read */
	bool may_number; /* by wm_repack_plan_read(), as in repack_known.h */
};

/*
 * Read the trace @path, called @name, and every event of it.  What comes after
 * the first damage is left to plan->tail, and plan->t.damage says why.
 * @max_blocks: as in wm_repack_file().
 */
enum wm_status wm_repack_plan_read(struct wm_repack_plan *p, const char *path,
				   const char *name, uint64_t max_blocks,
				   struct wm_err *err);
/* The same without a look at events, up to block number @limit. */
enum wm_status wm_repack_plan_open(struct wm_repack_plan *p, const char *path,
				   const char *name, uint64_t limit,
				   const struct wm_err *damage,
				   struct wm_err *err);
void wm_repack_plan_release(struct wm_repack_plan *p);

/* The bytes of a head's fields, without the 0 that ends them. */
static inline const uint8_t *
wm_repack_plan_fields(const struct wm_repack_plan *p,
		      const struct wm_repack_plan_block *b)
{
	return p->heads.p + b->head + WMT_PREFIX_SIZE;
}

/*
 * The next field at *@at of a head that was read without error; false: no more,
 * and *@at is behind the 0.
 */
bool wm_repack_plan_field(const uint8_t **at, struct wm_part_field *f);

/* All events of @b, a slice at a time, with call paths as the trace numbers
 * them; @shift: of their times. */
typedef enum wm_status wm_repack_plan_slice(void *context,
					    const struct wm_slice *s,
					    unsigned shift, struct wm_err *err);
enum wm_status wm_repack_plan_events(const struct wm_trace *t,
				     const struct wm_event_block *b,
				     struct wm_event_data *d,
				     wm_repack_plan_slice *f, void *context,
				     struct wm_err *err);

/* One column of block number @i, replacing what is in @out. */
enum wm_status wm_repack_plan_column(struct wm_repack_plan *p, size_t i,
				     uint64_t column, struct wm_octets *out,
				     struct wm_err *err);
/* All columns in their order; @f gets id, encoding and bytes of each. */
typedef enum wm_status wm_repack_plan_each(void *context,
					   const struct wm_head_column *c,
					   const uint8_t *data,
					   struct wm_err *err);
enum wm_status wm_repack_plan_columns(struct wm_repack_plan *p, size_t i,
				      wm_repack_plan_each *f, void *context,
				      struct wm_err *err);

#endif
