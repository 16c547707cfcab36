/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fields of a trace that describe its process, not its events: fields in
 * the heads of START, of the first block after a change of rank, and of END.
 *
 * The caller holds the writer lock.  Each function appends fields to @head,
 * which has WM_HEAD_ROOM bytes.
 */
#pragma once

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"

void wm_fields_identity(struct wm_buf *head) wm_hidden;
/* @crash_buffer is 1 if the process has a crash buffer. */
void wm_fields_start(struct wm_buf *head, int crash_buffer) wm_hidden;
void wm_fields_end(struct wm_buf *head, const char *reason) wm_hidden;
