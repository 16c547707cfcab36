/* SPDX-License-Identifier: Apache-2.0 */
/* The origin of a process, from START of its trace: its command line, its
 * launcher, and the runtime that recorded it.  The struct owns its texts, which
 * are plain, or NULL if unknown. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/wire.h"
#include "analyze/lib/trace/head.h"

/* Limits on memory at the start, in bytes; 0: unknown. */
struct wm_limits {
	uint64_t per_cpu, per_node; /* of the batch job */
	uint64_t group; /* the lowest of the cgroup and its parents */
	uint64_t address_space, data; /* of the process */
	uint64_t node_memory;
};

struct wm_origin {
	char *command; /* in the form that a shell takes */
	char *launcher, *batch, *batch_job, *tool_version;
	char *group; /* the cgroup that has the limit */
	struct wm_limits limits;
	uint64_t cpus; /* for the rank, by the batch system; 0: unknown */
	bool command_cut;
	bool handles_unseen;
	bool shared; /* see wm_origin_share() */
};

/* @o must be released even after WM_NO_MEMORY. */
enum wm_status wm_origin_take(struct wm_origin *o, const struct wm_head *start,
			      struct wm_err *err);
/* Empties @o if it equals @with, so that equal ranks keep one copy. */
void wm_origin_share(struct wm_origin *o, const struct wm_origin *with);
void wm_origin_wire(struct wm_wire *w, struct wm_origin *o);
void wm_origin_release(struct wm_origin *o);
