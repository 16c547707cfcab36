/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the words of static memory that point at large blocks.  Only those
 * pages are read that the program has written and that are present.  Protected
 * pages are left out, because the kernel reads for us and does not fault.  A
 * scan takes at most WM_HOLDERS_NS of CPU time, and there are at most
 * WM_HOLDERS_PAIRS words.
 *
 * Blocks are kept as bits that are chosen by their addresses.  A bit may
 * represent another address, too, which costs a useless record.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

#define WM_HOLDERS_PAIRS 512u
#define WM_HOLDERS_NS UINT64_C(20000000)

/* The word of static memory at @at contains the address @block. */
struct wm_holder {
	uint64_t at, block;
	uint32_t name; /* of the word (names.h); 0: there is no room */
};

/* Returns the bytes of memory that the first large block takes. */
size_t wm_holders_bytes(void) wm_hidden;
/* Adds the large block at @p, which the program does not know yet: a word that
 * already has this address has kept it from a freed block.  Returns false if
 * there is no memory, or if scans are not possible. */
bool wm_holders_gain(const void *p) wm_hidden;
/* Returns whether @p may be a large block.  Any thread may call this. */
bool wm_holders_is_large(const void *p) wm_hidden;
/* Stores in *@list the words that point at large blocks and that the previous
 * scan did not find, by address, and returns their number.  The list is valid
 * until the next call.  One thread at a time, on a stack of our own. */
size_t wm_holders_scan(const struct wm_holder **list) wm_hidden;
void wm_holders_forget(void) wm_hidden;
