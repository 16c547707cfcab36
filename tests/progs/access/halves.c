/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One loop with one store of two bytes, 200,000 times, each as predicted: it
 * stops itself half way, for good or until 50,000 later ("again").  Used by
 * t3450.
 */
#include <wm/wmtrace.h>

short a[200000];

/* By itself: the loop shall have one place that stores. */
static __attribute__((noinline, no_sanitize("thread"))) void say(int i,
								  int again)
{
	__asm__ volatile("" : "+r"(i));
	if (i == 100000)
		wm_access_stop();
	if (i == 150000 && again)
		wm_access_start();
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 200000; i++) {
		say(i, argc > 1);
		a[i] = 1;
	}
	return 0;
}
