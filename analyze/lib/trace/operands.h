/* SPDX-License-Identifier: Apache-2.0 */
/* The operands of each kind of event (docs/trace-format.md section 5).
 * Constant. */
#pragma once

#include <stdint.h>

#include "wm/trace_format.h"

/* The numbers of stacks, addresses and extra values that an event has. */
struct wm_operands {
	uint8_t known, stack, fresh, old, extra;
};
extern const struct wm_operands wm_operands[WMT_EV_LIMIT];
