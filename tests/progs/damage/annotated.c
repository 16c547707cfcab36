/* SPDX-License-Identifier: Apache-2.0 */
/* 200 malloc of 100 to 299 bytes, 190 of them freed, with a phase, a name and
 * a snapshot.
 * Used by t8100. */
#include <stdlib.h>
#include <stdio.h>
#include <wm/wmtrace.h>
int main(void)
{
	static void *p[200];
	wm_phase("fill");
	for (int i = 0; i < 200; i++)
		p[i] = malloc(100 + i);
	wm_name(p[3], "third");
	wm_snapshot("full");
	for (int i = 0; i < 190; i++)
		free(p[i]);
	return printf("%p\n", p[199]) < 0;
}
