/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Page faults, by each of which a page of its own comes to a process, and the
 * settings by which one brings more than that.
 *
 * Under the writer lock.
 */
#ifndef WM_RUNTIME_FAULTS_H
#define WM_RUNTIME_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* Page faults of this process until now. */
uint64_t wm_faults_own(void) wm_hidden;
/* Huge pages that all processes of the node have had until now. */
uint64_t wm_faults_huge(void) wm_hidden;
/* Whether all programs have huge pages by the system's setting, or libc asks
 * for them. */
bool wm_faults_are_huge(void) wm_hidden;
/* Whether a page fault of any program may bring several pages, as far as is
 * known. */
bool wm_faults_may_be_large(void) wm_hidden;
/* The bytes that a page fault of a program that asks for it may bring, at most,
 * but for huge pages. */
uint64_t wm_faults_bytes(void) wm_hidden;

#endif
