/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/analysis.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/lib/base/plain.h"
#include "analyze/lib/base/vec.h"

enum wm_status wm_run_note(struct wm_run *run, struct wm_err *err,
			   const char *fmt, ...)
{
	char **n = WM_MORE(run->notes, run->note_cap, run->note_count);
	va_list ap;
	int len;

	if (!n)
		return wm_no_memory(err, NULL);
	va_start(ap, fmt);
	len = vasprintf(n, fmt, ap);
	va_end(ap);
	if (len < 0)
		return wm_no_memory(err, NULL);
	run->note_count++;
	return WM_OK;
}

void wm_analysis_note(struct wm_analysis *a, bool partial, const char *fmt, ...)
{
	char **n = WM_MORE(a->notes, a->note_cap, a->note_count);
	char *text = NULL;
	va_list ap;
	int len;

	a->partial |= partial;
	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n && len >= 0 && (*n = wm_plain(text, (size_t)len)))
		a->note_count++;
	else
		a->notes_lost = true;
	if (len >= 0)
		free(text);
}
