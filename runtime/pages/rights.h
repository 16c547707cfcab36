/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The service thread has the rights that the process had at its start, and
 * libc's setuid() and similar functions do not reach it.  So the service thread
 * and the following of memory end when the program changes its rights or
 * confines itself.
 *
 * Only the service thread calls the functions here.
 */
#pragma once

#include <stdint.h>

#include "runtime/base/attributes.h"

/* Keeps the present rights for comparison. */
void wm_rights_begin(void) wm_hidden;
/* For wm_service_end(): if the rights of the thread *@tid (an int) differ, ends
 * the following of all memory and returns 0. */
long wm_rights_compare(void *tid) wm_hidden;
/* For wm_service_start(): checks the first thread from time to time, whose
 * rights may change without a function of libc; otherwise does the same as
 * wm_epochs_pause(). */
uint64_t wm_rights_pause(void) wm_hidden;
