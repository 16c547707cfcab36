/* SPDX-License-Identifier: Apache-2.0 */
/* Shared data is defined here, below all parts, so that no part has to be
 * linked only for a variable of another part. */
#include "runtime/base/depth.h"
#include "runtime/base/state.h"

struct wm_state *wm_state;
struct wm_options wm_options;
struct wm_identity wm_identity;
struct wm_memory_plan wm_memory_plan;
_Atomic int wm_slow_reasons;
_Atomic uint32_t wm_closings, wm_closing_now;
int wm_lock_forks;

__thread uintptr_t wm_depth;
__thread struct wm_slot *wm_self;
__thread int wm_is_aside;
