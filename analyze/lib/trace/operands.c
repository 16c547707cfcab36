/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/operands.h"

#define X(name, number, s, a, f, x) [number] = { 1, s, a, f, x },
const struct wm_operands wm_operands[WMT_EV_LIMIT] = { WMT_EVENT_LIST(X) };
#undef X
