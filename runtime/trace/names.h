/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, from 1 on, of the names that the program gives to phases, blocks and
 * snapshots.  Any thread may call this at any time; finding a known name takes
 * no lock.  The last of 4,096 names represents all names that do not fit. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"

#define WM_NAME_BYTES 255u

uint32_t wm_names_find(const char *s, size_t n) wm_hidden;
/* Returns the number of a name, and adds the name if it is not known; returns 0
 * if there is no memory.  *@added is 1 if the name still has to be written. */
uint32_t wm_names_add(const char *s, size_t n, int *added) wm_hidden;

/* Appends all names that have not been sent to @column, and stores the number
 * of the first of them, or 0, in *@first.  Returns -1 if there is no memory.
 * The caller holds the writer lock. */
int wm_names_encode(struct wm_buf *column, uint32_t *first) wm_hidden;
/* Called after the block with these names has been written. */
void wm_names_sent(void) wm_hidden;
/* Returns the bytes of memory for names, with the column. */
size_t wm_names_bytes(void) wm_hidden;
/* Called in a traced child: the names are known, but none has been sent. */
void wm_names_forget(void) wm_hidden;
