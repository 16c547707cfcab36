/* SPDX-License-Identifier: Apache-2.0 */
/* The stack address of an intercepted call, which prevents calls inside it from
 * being recorded, and the frame where its call path begins. */
#pragma once

#include <stdint.h>

#include "runtime/base/attributes.h"

/* The stack address of this thread's outermost intercepted call; 0 if there is
 * none, 1 in the runtime itself, WM_DEPTH_EARLY before libc has made the first
 * thread's storage. */
#define WM_DEPTH_EARLY 2
extern __thread uintptr_t wm_depth
	__attribute__((tls_model(WM_TLS_MODEL), visibility("hidden")));

/* A call from the same address, or from less than this distance further out,
 * shows that a signal handler left the earlier call by longjmp. */
#define WM_LEFT_BEHIND ((uintptr_t)1 << 20)

/* The wrapper's own frame: the caller's frame pointer, the return address. */
#define wm_frame() ((const uintptr_t *)__builtin_frame_address(0))
