/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The origin of a process, from START of its trace: its command line, the
 * launcher, and the runtime that recorded it.
 *
 * The struct owns its texts, which are plain, or NULL if unknown.  Ranks with
 * equal origins keep one copy: wm_origin_share().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/wire.h"
#include "analyze/lib/trace/head.h"

/* Limits on memory at the start, in bytes; 0: none is known. */
struct wm_limits {
	uint64_t per_cpu, per_node; /* of the batch job */
	uint64_t group; /* the lowest of the memory cgroup and its parents */
	uint64_t address_space, data; /* of the process */
	uint64_t node_memory; /* all that the node has */
};

struct wm_origin {
	char *command; /* as a shell takes it */
	char *launcher, *batch, *batch_job, *tool_version;
	char *group; /* the cgroup that has the limit */
	struct wm_limits limits;
	uint64_t cpus; /* of a rank, by the batch system; 0: unknown */
	bool command_cut; /* the command line was longer */
	bool handles_unseen; /* handles of MPI are not in the trace */
	bool shared; /* it is empty: see wm_origin_share() */
};

/* If the result is WM_NO_MEMORY, @o must be released nevertheless. */
enum wm_status wm_origin_take(struct wm_origin *o, const struct wm_head *start,
			      struct wm_err *err);
/* Empties @o where it is the same as @with. */
void wm_origin_share(struct wm_origin *o, const struct wm_origin *with);
void wm_origin_wire(struct wm_wire *w, struct wm_origin *o);
void wm_origin_release(struct wm_origin *o);
