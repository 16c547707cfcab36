/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/request.h"

#include <string.h>

#include "analyze/base/units.h"

int wm_request_rank(struct wm_request *q, const char *text)
{
	uint64_t rank;

	if (!strcmp(text, "max")) {
		q->choice = WM_RANK_MAX;
	} else if (!strcmp(text, "min")) {
		q->choice = WM_RANK_MIN;
	} else if (!strcmp(text, "all")) {
		q->choice = WM_RANK_ALL;
	} else if (wm_parse_number(text, UINT32_MAX, &rank)) {
		q->choice = WM_RANK_NUMBER;
		q->rank = rank;
	} else {
		return -1;
	}
	return 0;
}
