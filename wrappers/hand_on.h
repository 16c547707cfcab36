/* SPDX-License-Identifier: Apache-2.0 */
/* Shims that exist by the hundred.  Each passes its arguments, its description
 * and a way to find the function behind it to one common function.  Arguments
 * are values of the size of a pointer: every 64-bit calling convention passes
 * all arguments in this way that are not floating-point numbers. */
#pragma once

#include "wrappers/shim.h"

typedef uintptr_t arg;

#define MOST_ARGUMENTS 14

/* The function behind a shim may get more arguments than it takes. */
typedef arg function(arg, arg, arg, arg, arg, arg, arg, arg, arg, arg, arg, arg,
		     arg, arg);
#define CALL_BEHIND(f, a)                                                      \
	(f)((a)[0], (a)[1], (a)[2], (a)[3], (a)[4], (a)[5], (a)[6], (a)[7],    \
	    (a)[8], (a)[9], (a)[10], (a)[11], (a)[12], (a)[13])

/* Parameters, and arguments of the shim, that find the function behind. */
#ifdef WM_DYNAMIC
#define BEHIND void *_Atomic *kept, const char *name
#define BEHIND_OF(name) &kept, #name
#define KEPT static void *_Atomic kept;
#define FIND(next, frame) ((function *)next(kept, name, (void *)(frame)[1]))
#define WM_BEHIND(type, name, ...) _Static_assert(1, "")
#else
#define BEHIND function *real
#define BEHIND_OF(name) (function *)(void *)__real_##name
#define KEPT
#define FIND(next, frame) real
#define WM_BEHIND(type, name, ...)                                             \
	extern type __real_##name(__VA_ARGS__) __attribute__((weak))
#endif

/* Returns false if the call whose shim has @frame is inside the call at *@in,
 * which is recorded instead.  A call from an outer frame shows that the earlier
 * call was left by longjmp. */
static inline bool wm_outermost(uintptr_t *in, const uintptr_t *frame)
{
	uintptr_t here = (uintptr_t)frame;

	if (*in > here && *in - here < WM_LEFT_BEHIND)
		return false;
	*in = here;
	return true;
}

#define TAKE_1 arg a1
#define TAKE_2 TAKE_1, arg a2
#define TAKE_3 TAKE_2, arg a3
#define TAKE_4 TAKE_3, arg a4
#define TAKE_5 TAKE_4, arg a5
#define TAKE_6 TAKE_5, arg a6
#define TAKE_7 TAKE_6, arg a7
#define TAKE_8 TAKE_7, arg a8
#define TAKE_9 TAKE_8, arg a9
#define TAKE_10 TAKE_9, arg a10
#define TAKE_11 TAKE_10, arg a11
#define TAKE_12 TAKE_11, arg a12
#define TAKE_13 TAKE_12, arg a13
#define SET_1 a[0] = a1
#define SET_2 SET_1, a[1] = a2
#define SET_3 SET_2, a[2] = a3
#define SET_4 SET_3, a[3] = a4
#define SET_5 SET_4, a[4] = a5
#define SET_6 SET_5, a[5] = a6
#define SET_7 SET_6, a[6] = a7
#define SET_8 SET_7, a[7] = a8
#define SET_9 SET_8, a[8] = a9
#define SET_10 SET_9, a[9] = a10
#define SET_11 SET_10, a[10] = a11
#define SET_12 SET_11, a[11] = a12
#define SET_13 SET_12, a[12] = a13

/* Defines shim @name, which has the name @prefix##name in C and calls
 * @prefix##call().  The call path begins at the shim's frame, so the compiler
 * must not turn this call into a jump. */
#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name
#define WM_HAND_ON(type, prefix, what, name, set, ...)                         \
	WM_BEHIND(type, name, __VA_ARGS__);                                    \
	type prefix##name(__VA_ARGS__) __asm__(TEXT(WM_SHIM(name))) wm_export; \
	type prefix##name(__VA_ARGS__)                                         \
	{                                                                      \
		KEPT arg a[MOST_ARGUMENTS + 1]; /* and an error */             \
		type r;                                                        \
                                                                               \
		set;                                                           \
		r = prefix##call(a, what, wm_frame(), BEHIND_OF(name));        \
		__asm__ volatile("");                                          \
		return r;                                                      \
	}
