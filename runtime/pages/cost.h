/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of watching for the program: a page that was taken out of the page
 * table returns by a fault, and by another one when it is written.  The kernel
 * counts faults, not their time; the time of one is measured at start.  And a
 * new page takes longer in a file than in private memory.
 *
 * Only for the service thread, after wm_backing_open().
 */
#ifndef WM_RUNTIME_COST_H
#define WM_RUNTIME_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* Measures; with @counts resident memory is in the file of wm_backing_open(),
 * so faults of watching can be distinguished from others: counts them from now
 * on. */
void wm_cost_measure(bool counts) wm_hidden;
/* ns of CPU time that the program has spent for faults of watching so far;
 * never less than at the call before.  @count: their number; may be NULL. */
uint64_t wm_cost_faults(uint64_t *count) wm_hidden;
/* Where the kernel's count is not asked: @pages took one fault each. */
void wm_cost_note(uint64_t pages) wm_hidden;
/* ns that @accessed pages will cost, @written of them written, that are not in
 * the page table; for those that are there only writes count. */
uint64_t wm_cost_again(uint64_t accessed, uint64_t written) wm_hidden;
/* The time at which the budget of `auto`, a tenth of the program's CPU time,
 * allows an epoch to end: @again: the cost of the faults after it; @spent: the
 * cost so far; @last: the end of the epoch before.  The budget holds for the
 * run and for each epoch, unless the epoch would be longer than an eighth of
 * the time until its end: a fifth of the run's time may be spent on such
 * epochs.  ns of the program's CPU time. */
uint64_t wm_cost_allowed_at(uint64_t last, uint64_t spent,
			    uint64_t again) wm_hidden;

#endif
