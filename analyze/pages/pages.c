/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/pages/pages.h"

#include <stdlib.h>
#include <string.h>

void wm_pages_release(struct wm_pages *p)
{
	free(p->epoch);
	free(p->owner);
	free(p->interval);
	wm_page_chart_release(&p->chart);
	free(p->not_covered);
	free(p->end);
	memset(p, 0, sizeof(*p));
}
