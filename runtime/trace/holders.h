/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of static memory that point at large blocks of the program.
 *
 * The program is not disturbed: only pages of static memory that it has written
 * and that are present are read; protected pages are left out, because the
 * kernel reads for us and does not fault.  Work is bounded: WM_HOLDERS_NS of
 * CPU time for a scan, WM_HOLDERS_PAIRS words.
 *
 * Blocks are kept as bits of their addresses: a bit may represent another
 * address, too, which costs a useless record.
 */
#ifndef WM_RUNTIME_HOLDERS_H
#define WM_RUNTIME_HOLDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

#define WM_HOLDERS_PAIRS 512u
#define WM_HOLDERS_NS UINT64_C(20000000)

/* A word of static memory at @at has the address @block. */
struct wm_holder {
	uint64_t at, block;
	uint32_t name; /* of the word (names.h); 0: there is no room */
};

/* Bytes of memory, which are taken at the first large block. */
size_t wm_holders_bytes(void) wm_hidden;
/* A large block is at @p now, and the program does not know it yet: a word that
 * points there has kept the address of a freed block.  false: no memory, or
 * scans are not possible. */
bool wm_holders_gain(const void *p) wm_hidden;
/* Whether @p may be a large block.  Any thread. */
bool wm_holders_is_large(const void *p) wm_hidden;
/*
 * Finds words that point at large blocks.  Returns how many of them the scan
 * before did not return; *@list has these in the order of their addresses, and
 * is valid until the next call.  One thread at a time, on a stack of our own.
 */
size_t wm_holders_scan(const struct wm_holder **list) wm_hidden;
/* In a traced child: forgets all blocks. */
void wm_holders_forget(void) wm_hidden;

#endif
