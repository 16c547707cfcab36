/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/base/spelling.h"

#include <string.h>

#define LONGEST 40 /* names */
#define TWO_SLIPS 8 /* letters of a name in which two are forgiven */

const char *const *wm_spelling_begun(const char *const *from, const char *text,
				     size_t n)
{
	for (; *from; from++)
		if (strncmp(*from, text, n) == 0)
			return from;
	return NULL;
}

static unsigned lowest(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * Slips between @a and @b (optimal string alignment): row i of the table has
 * the slips between the first i letters of @a and all beginnings of @b.
 */
static unsigned count_slips(const char *a, size_t an, const char *b, size_t bn)
{
	unsigned row[3][LONGEST + 1]; /* i - 2, i - 1, i, in turn */
	size_t i, k;

	for (k = 0; k <= bn; k++)
		row[0][k] = (unsigned)k;
	for (i = 1; i <= an; i++) {
		unsigned *now = row[i % 3], *last = row[(i + 2) % 3],
			 *before = row[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (k = 1; k <= bn; k++) {
			now[k] = lowest(last[k], now[k - 1]) + 1;
			now[k] = lowest(now[k],
					last[k - 1] + (a[i - 1] != b[k - 1]));
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] &&
			    a[i - 2] == b[k - 1])
				now[k] = lowest(now[k], before[k - 2] + 1);
		}
	}
	return row[an % 3][bn];
}

const char *wm_spelling_near(const char *const *names, const char *text,
			     size_t n)
{
	const char *nearest = NULL;
	unsigned least = 3;

	for (; n <= LONGEST && *names; names++) {
		size_t length = strlen(*names);
		unsigned slips;

		if (length > LONGEST)
			continue;
		slips = count_slips(text, n, *names, length);
		if (slips < least && slips <= (length < TWO_SLIPS ? 1 : 2)) {
			least = slips;
			nearest = *names;
		}
	}
	return nearest;
}
