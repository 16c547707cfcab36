/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/base/peek.h"

#include <string.h>

#include "runtime/base/file_text.h"
#include "runtime/base/text.h"

static uint64_t filters_at_start; /* those of a container, for example */

/* Returns the number of this thread's filters, or UINT64_MAX if unknown. */
static uint64_t count_filters(void)
{
	char text[4096];
	size_t n = wm_file_text("/proc/thread-self/status", text, sizeof(text));
	const char *mode = strstr(text, "\nSeccomp:\t");
	/* All kernels print this line after the mode. */
	const char *filters = strstr(mode ? mode : text,
				     "\nSeccomp_filters:\t");
	uint64_t count;

	if (!n || n == sizeof(text) - 1)
		return UINT64_MAX;
	if (filters && wm_str_uint(strchr(filters, '\t') + 1, &count))
		return count;
	return !mode || mode[strlen("\nSeccomp:\t")] == '0' ? 0 : UINT64_MAX;
}

bool wm_peek_is_safe(void)
{
	uint64_t now = count_filters();

	return now != UINT64_MAX && now == filters_at_start;
}

void wm_peek_start(void)
{
	filters_at_start = count_filters();
}
