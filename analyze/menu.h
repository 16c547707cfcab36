/* SPDX-License-Identifier: Apache-2.0 */
/* All reports of wm-analyze, in the order of --help. */
#pragma once

#include "analyze/answers/report.h"

/* Ends with NULL; the first is the default. */
extern const struct wm_report *const wm_reports[];
