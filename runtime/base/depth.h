/* SPDX-License-Identifier: Apache-2.0 */
/* The place of an intercepted call on the stack: a mark that prevents calls
 * inside it from being recorded, and the frame where its call path begins. */
#pragma once

#include <stdint.h>

#include "runtime/base/attributes.h"

/* The address on the stack of this thread's outermost intercepted call; 0:
 * there is no such call; 1: the thread is in the runtime.  All-zero TLS is
 * valid. */
extern __thread uintptr_t wm_depth
	__attribute__((tls_model(WM_TLS_MODEL), visibility("hidden")));

/* A call from the same place, or from further out by less than this distance,
 * shows that a signal handler left the earlier call by longjmp. */
#define WM_LEFT_BEHIND ((uintptr_t)1 << 20)

/* The beginning of the call path: the wrapper's own frame, which has the
 * caller's frame pointer in [0] and the return address in [1]. */
#define wm_frame() ((const uintptr_t *)__builtin_frame_address(0))
