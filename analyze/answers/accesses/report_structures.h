/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structures and their members in --accesses: which are hot, which are cold,
 * and which had better be apart.  Written for the chosen rank, into @d, for the
 * audience that is named.
 */
#ifndef WM_ANALYZE_REPORT_STRUCTURES_H
#define WM_ANALYZE_REPORT_STRUCTURES_H

#include <stddef.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/accesses/access_names.h"
#include "analyze/render/doc.h"

/* @top structures for people, 0: all; @audience: WM_FOR_TEXT or WM_FOR_DATA. */
enum wm_status wm_structures_tell(const struct wm_analysis *a,
				  const struct wm_access_names *n, size_t top,
				  unsigned audience, struct wm_doc *d,
				  struct wm_err *err);

#endif
