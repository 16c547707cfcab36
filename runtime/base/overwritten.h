/* SPDX-License-Identifier: Apache-2.0 */
/* Finds wrappers of mappings that another library has overwritten with a jump
 * to its own code, so that they see no later call.  Only for dynamic
 * programs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

#define WM_OVERWRITTEN_ROOM 128

#ifdef WM_DYNAMIC
/* Keeps the first bytes of the wrappers of WM_WRAP_MAP and WM_WRAP_ADVICE, in
 * this order, before a library can overwrite them.  If a file before ours has a
 * function of that name, through which calls reach the wrapper, the bytes of
 * that function are kept. */
void wm_overwritten_begin(const uint8_t *const entries[]) wm_hidden;
/* Stores the names of the wrappers that have been overwritten so far, also in
 * the crash buffer.  Returns false if there are none. */
bool wm_overwritten_look(char names[WM_OVERWRITTEN_ROOM]) wm_hidden;
#else
static inline bool wm_overwritten_look(char names[WM_OVERWRITTEN_ROOM])
{
	names[0] = 0;
	return false;
}
#endif
