/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/replay/pass.h"

#define WM_PASS_X(name) extern const struct wm_pass_ops wm_pass_##name;
WM_PASS_LIST(WM_PASS_X)
#undef WM_PASS_X

#define WM_PASS_X(name) &wm_pass_##name,
const struct wm_pass_ops *const wm_pass_table[] = { WM_PASS_LIST(WM_PASS_X) };
#undef WM_PASS_X
