/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds wrappers of mappings that another library has overwritten.  Such a
 * library writes a jump over the entry of the function that dlsym() finds, and
 * makes the system call itself, so the wrapper sees no later call.  Only for
 * dynamic programs.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

#define WM_OVERWRITTEN_ROOM 128 /* bytes of names, with the final zero */

#ifdef WM_DYNAMIC
/*
 * Keeps the first bytes of the wrappers of WM_WRAP_MAP and WM_WRAP_ADVICE, in
 * this order.  If a file before ours has a function of that name, through which
 * calls reach the wrapper, keeps the bytes of that function.  Called before a
 * library may have overwritten them.
 */
void wm_overwritten_begin(const uint8_t *const entries[]) wm_hidden;
/*
 * Stores the names of the wrappers that have other bytes now, or had other
 * bytes at an earlier look, also for the reader of a killed process.  Returns
 * false if there are none.  Any thread may call this, but not for each event.
 */
bool wm_overwritten_look(char names[WM_OVERWRITTEN_ROOM]) wm_hidden;
#else
static inline bool wm_overwritten_look(char names[WM_OVERWRITTEN_ROOM])
{
	names[0] = 0;
	return false;
}
#endif
