/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about a process in the heads of its trace, by which scan_heads.h
 * decides the rank of a file.  Events, call paths and, as a rule, crash buffers
 * are not read.  One thread reads each file. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/run.h"

struct wm_rank;

struct wm_facts {
	char *run_id, *program, *host, *boot_id;
	uint64_t rank, ranks; /* as the process counts them */
	uint64_t pid;
	double seconds; /* duration, by blocks */
	uint64_t end_ns; /* since 1970; 0: not read yet */
	bool ended; /* with end_ns: the trace has an END */
	bool spawned;
};

/* Fills f->facts, f->running, f->size and f->start.  If nothing can be read,
 * facts stay NULL, and the reader of the events reports the reason later. */
enum wm_status wm_facts_read(struct wm_run_file *f, struct wm_err *err);
/* Returns the time at which the process ended or made its last block or crash
 * buffer, which are read for this purpose. */
uint64_t wm_facts_end(struct wm_run_file *f);
/* Returns whether the process of @r, a rank without END, still runs. */
enum wm_running wm_facts_running(const struct wm_rank *r);
void wm_facts_free(struct wm_run_file *f);
