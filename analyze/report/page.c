/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/report/page.h"

#include <stdarg.h>

#include "analyze/base/vec.h"
#include "analyze/base/whole.h"

void wm_page_bound(struct wm_page *p, const char *fmt, ...)
{
	char **text = WM_MORE(p->bounds.text, p->bounds.cap, p->bounds.count);
	va_list ap;

	va_start(ap, fmt);
	if (!text || vasprintf(&p->bounds.text[p->bounds.count], fmt, ap) < 0)
		p->short_of_memory = true;
	else
		p->bounds.count++;
	va_end(ap);
}

uint64_t wm_page_ns(double seconds)
{
	return wm_rounded(seconds * 1e9);
}
