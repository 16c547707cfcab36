/* SPDX-License-Identifier: Apache-2.0 */
/* The operands of each kind of event (docs/trace-format.md, 5). */
#pragma once

#include <stdint.h>

#include "wm/trace_format.h"

struct wm_operands {
	uint8_t known, stack, fresh, old, extra;
};
extern const struct wm_operands wm_operands[WMT_EV_LIMIT];
