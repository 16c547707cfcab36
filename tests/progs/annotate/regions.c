/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that need no pointer, regions, marks: also compiles as C++.  Prints the
 * address of an array of 1000 doubles.  Relative to an empty program: malloc
 * 1000 "next", malloc 2000 "inside" (by a pointer into it; un-named, and named
 * again), malloc 3000 without a name, a thread's malloc 4000 without one,
 * malloc 5000 "own", realloc of the 3000 to 6000 without a name, calloc 7000
 * "kept", malloc 8000 "last"; all live at the end.  Used by t2022.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <wm/wmtrace.h>

static double field[1000];
static char *volatile keep[8];

static pthread_barrier_t turn;

static void *other(void *unused)
{
	pthread_barrier_wait(&turn);
	keep[3] = (char *)malloc(4000);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t;

	wm_region("upper half", field + 500, 500 * sizeof(*field),
		  sizeof(*field));
	wm_name_next("next");
	keep[0] = (char *)malloc(1000);
	keep[1] = (char *)malloc(2000);
	wm_name(keep[1] + 1999, "wrong");
	wm_unname(keep[1] + 1);
	wm_name(keep[1] + 1000, "inside");
	wm_name_next("nothing");
	wm_name_next(NULL);
	keep[2] = (char *)malloc(3000);
	wm_mark("half way");
	pthread_barrier_init(&turn, NULL, 2);
	pthread_create(&t, NULL, other, NULL);
	wm_name_next("own");
	pthread_barrier_wait(&turn);
	pthread_join(t, NULL);
	keep[4] = (char *)malloc(5000);
	wm_name_next("kept");
	keep[2] = (char *)realloc(keep[2], 6000);
	keep[5] = (char *)calloc(7000, 1);
	wm_region("row", field + 600, 10 * sizeof(*field), 0);
	wm_region("nothing", NULL, 100, 1);
	wm_region("nothing", field, 0, 1);
	wm_region(NULL, field, 100, 1);
	wm_region_end(field + 605);
	wm_region_end(field + 10);
	wm_region("of floats", field + 500, 4000, 4);
	wm_region("whole", field, sizeof(field), sizeof(*field));
	wm_region_end(field + 10);
	wm_name_next("in a pause");
	wm_pause();
	wm_name_next("in a pause");
	keep[6] = (char *)malloc(9999);
	wm_resume();
	wm_name_next("last");
	keep[7] = (char *)malloc(8000);
	wm_mark(NULL);
	printf("%llu\n", (unsigned long long)(size_t)field);
	fflush(stdout);
	if (argc > 1)
		abort();
	return argv[0] == NULL;
}
