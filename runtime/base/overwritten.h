/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wrappers of mappings that another library has overwritten: it writes a jump
 * over the entry of what dlsym() finds, and makes the system call itself, so
 * the wrapper sees no later call.  Only in dynamic programs.
 */
#ifndef WM_RUNTIME_OVERWRITTEN_H
#define WM_RUNTIME_OVERWRITTEN_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

#define WM_OVERWRITTEN_ROOM 128 /* bytes of names, with the final zero */

#ifdef WM_DYNAMIC
/* Keeps the first bytes of the wrappers of WM_WRAP_MAP and WM_WRAP_ADVICE, in
 * this order, or of the functions of a file before them, through which calls
 * reach them: before a library may have overwritten them. */
void wm_overwritten_begin(const uint8_t *const entries[]) wm_hidden;
/* The names of those that have other bytes now, or had at an earlier look, also
 * for the reader of a killed process; false: none.  Any thread, but not for
 * each event. */
bool wm_overwritten_look(char names[WM_OVERWRITTEN_ROOM]) wm_hidden;
#else
static inline bool wm_overwritten_look(char names[WM_OVERWRITTEN_ROOM])
{
	names[0] = 0;
	return false;
}
#endif

#endif
