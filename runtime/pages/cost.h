/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What watching costs the program: a page that was taken out of the page table
 * comes back by a fault, and by another one when it is written.  The kernel
 * counts faults, not their time; what one takes is measured at start.  And a
 * page that is new takes longer in a file than in private memory.
 *
 * For the service thread alone, behind wm_backing_open().
 */
#ifndef WM_RUNTIME_COST_H
#define WM_RUNTIME_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/hooks.h"

/* ns of a clock of clock_gettime(). */
uint64_t wm_cost_clock(int which) wm_hidden;
/* Measure; @counts: what is resident lies in wm_backing_open()'s file, so
 * faults of watching can be told from others: count them from now on. */
void wm_cost_measure(bool counts) wm_hidden;
/* ns of CPU time that the program has spent for faults of watching so far;
 * never less than at the call before.  @count: how many; may be NULL. */
uint64_t wm_cost_faults(uint64_t *count) wm_hidden;
/* Where the kernel's count is not asked: @pages took one each. */
void wm_cost_note(uint64_t pages) wm_hidden;
/* ns that @accessed pages will cost that are not in the page table, @written of
 * them written; those that are there count as written alone. */
uint64_t wm_cost_again(uint64_t accessed, uint64_t written) wm_hidden;
/* When the budget of `auto`, a tenth of the program's CPU time, allows an epoch
 * to end: @again: what the faults after it will cost; @spent: what was spent so
 * far; @last: when the epoch before ended.  Both the run and each epoch of it
 * keep to it, but where the epoch would then be longer than an eighth of the
 * time until its end: a fifth of the run's time may be spent on such.  ns of the
 * program's CPU time. */
uint64_t wm_cost_allowed_at(uint64_t last, uint64_t spent,
			    uint64_t again) wm_hidden;

#endif
