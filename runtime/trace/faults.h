/* SPDX-License-Identifier: Apache-2.0 */
/* The page faults of a process.  A page fault brings one page that belongs only
 * to this process, or more with some settings of the system.  The caller holds
 * the writer lock. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

uint64_t wm_faults_own(void) wm_hidden;
/* Returns how many huge pages all processes of the node have had until now. */
uint64_t wm_faults_huge(void) wm_hidden;
/* Returns whether all programs have huge pages by the system's setting, or libc
 * asks for huge pages. */
bool wm_faults_are_huge(void) wm_hidden;
/* Returns whether a page fault of any program may bring several pages, as far
 * as the settings can be read. */
bool wm_faults_may_be_large(void) wm_hidden;
/* Returns the most bytes that one page fault may bring to a program that asks
 * for large pages.  Huge pages count only if the settings are hidden. */
uint64_t wm_faults_bytes(void) wm_hidden;
