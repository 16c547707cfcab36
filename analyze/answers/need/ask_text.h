/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the memory to ask a batch system for, which ask.h finds. */
#pragma once

#include "analyze/job/analysis.h"
#include "analyze/render/doc.h"
#include "analyze/render/json.h"

enum wm_status wm_tell_ask(const struct wm_analysis *a, struct wm_doc *d,
			   struct wm_err *err);
/* Writes key ask (docs/json.md) into an object. */
void wm_json_ask(const struct wm_analysis *a, struct wm_json *j);
