/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Says all that <wm/wmtrace.h> knows: also compiles as C++.  Relative to an
 * empty program: 5 malloc (1000, 2000, 111, 500, 333), 2 realloc (to 3000, and
 * of the 500 bytes to 700), 5 free; live at the end 333 bytes.  While paused:
 * malloc 5000, realloc of the 111 bytes to 6000, and both freed.
 * With arguments: each is a phase; then so many names as the first says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wm/wmtrace.h>

static char *volatile keep;

static void many(int n)
{
	char name[64];

	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "name %d", i);
		wm_name(keep, name);
	}
}

int main(int argc, char **argv)
{
	char *a, *b, *c, *d, name[] = "A matrix";

	if (argc > 1) {
		keep = (char *)malloc(10);
		for (int i = 1; i < argc; i++)
			wm_phase(argv[i]);
		many(atoi(argv[1]));
		return 0;
	}
	wm_phase("assembly");
	a = (char *)malloc(1000);
	wm_name(a, name);
	memset(name, 'x', sizeof(name) - 1); /* it was copied */
	wm_name(a, NULL);
	wm_name(a, "A matrix");
	b = (char *)malloc(2000);
	wm_name(b + 8, "inside");
	a = (char *)realloc(a, 3000);
	c = (char *)malloc(111);
	d = (char *)malloc(500);
	wm_snapshot("assembled");
	wm_phase("sol\303\251ver");
	wm_pause();
	wm_pause();
	keep = (char *)malloc(5000);
	c = (char *)realloc(c, 6000);
	wm_resume();
	wm_resume();
	free(keep);
	free(c);
	d = (char *)realloc(d, 700);
	free(a);
	free(b);
	wm_snapshot(NULL);
	wm_phase("assembly");
	free(d);
	wm_phase("");
	keep = (char *)malloc(333);
	puts("done");
	return 0;
}
