/* SPDX-License-Identifier: Apache-2.0 */
/* 70000 malloc of 20 bytes, 2000 of which are freed and made anew in another
 * order; then all are freed.
 * Used by t5200. */
#include <stdlib.h>
static void *volatile p[70000];
int main(void)
{
	for (int i = 0; i < 70000; i++)
		p[i] = malloc(20);
	for (int i = 0; i < 2000; i++) {
		void **q = (void **)&p[i * 7919L % 70000];

		free(*q);
		*q = malloc(20);
	}
	for (int i = 0; i < 70000; i++)
		free(p[i]);
	return 0;
}
