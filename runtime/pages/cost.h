/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time that watching costs the program.  A page that was taken out of the
 * page table returns by a fault, and takes another fault when it is written.
 * The kernel counts faults but not their time, so the time of a fault is
 * measured at start.  A new page also takes longer in a file than in private
 * memory.
 *
 * Only for the service thread, after wm_backing_open().
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* With @counts, resident memory is in the file of wm_backing_open(): faults of
 * watching can be distinguished from others, and are counted from now on. */
void wm_cost_measure(bool counts) wm_hidden;
/* Returns the ns of CPU time that the program has spent for faults of watching
 * so far, and their number in *@count, unless @count is NULL. */
uint64_t wm_cost_faults(uint64_t *count) wm_hidden;
/* Adds one fault for each of @pages, where the kernel's count is not used. */
void wm_cost_note(uint64_t pages) wm_hidden;
/* Returns the ns that accesses to @accessed pages that are not in the page
 * table, and writes to @written pages, will cost. */
uint64_t wm_cost_again(uint64_t accessed, uint64_t written) wm_hidden;
/*
 * Returns the CPU time, in ns, at which the budget of `auto` allows an epoch to
 * end: a tenth of the CPU time of the run and of each epoch, or up to a fifth
 * of the run's if epochs would be longer than an eighth of the time until their
 * end.  @last is the end of the last epoch, @spent the cost so far, and @again
 * the cost of the faults after this epoch.
 */
uint64_t wm_cost_allowed_at(uint64_t last, uint64_t spent,
			    uint64_t again) wm_hidden;
