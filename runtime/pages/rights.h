/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The service thread has the rights that the process had at its start, and
 * libc's setuid() and similar functions do not reach it.  So the service thread
 * and the following of memory end when the program changes its rights or
 * confines itself.
 *
 * Only for the service thread.
 */
#pragma once

#include <stdint.h>

#include "runtime/base/attributes.h"

void wm_rights_begin(void) wm_hidden;
/* For wm_service_end(): if the rights of the thread *@tid (an int) have
 * changed, makes all followed memory private and returns 0. */
long wm_rights_compare(void *tid) wm_hidden;
/* For wm_service_start(): from time to time checks the first thread, whose
 * rights may change without a function of libc; otherwise does what
 * wm_epochs_pause() does. */
uint64_t wm_rights_pause(void) wm_hidden;
