/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/menu.h"

#include <stddef.h>

/* In the order of --help.  X(name): wm_<name>_report is its description. */
#define WM_REPORT_LIST(X)                                                      \
	X(summary)                                                             \
	X(functions)                                                           \
	X(tree)                                                                \
	X(libraries)                                                           \
	X(files)                                                               \
	X(timeline)                                                            \
	X(leaks)                                                               \
	X(temporaries)                                                         \
	X(sizes)                                                               \
	X(pages)                                                               \
	X(accesses)                                                            \
	X(cache)                                                               \
	X(reuse)                                                               \
	X(false_sharing)                                                       \
	X(snapshots)                                                           \
	X(compare)                                                             \
	X(model)                                                               \
	X(history)                                                             \
	X(imbalance)                                                           \
	X(static_report)                                                       \
	X(html)                                                                \
	X(rules)                                                               \
	X(export)                                                              \
	X(repack)

#define WM_REPORT_X(name) extern const struct wm_report wm_##name##_report;
WM_REPORT_LIST(WM_REPORT_X)
#undef WM_REPORT_X

#define WM_REPORT_X(name) &wm_##name##_report,
const struct wm_report *const wm_reports[] = { WM_REPORT_LIST(WM_REPORT_X)
						       NULL };
#undef WM_REPORT_X
