/* SPDX-License-Identifier: Apache-2.0 */
/*
 * few_things lost|freed|unrolled: makes three things of the library things.c at
 * three lines and gives them back or not, or loses three of an unrolled loop.
 * For t5433.
 */
#include <stdio.h>
#include <string.h>

struct thing;
struct thing *thing_create(void);
void thing_destroy(struct thing *t);
void *thing_look(void);

static void at_lines(int lost)
{
	struct thing *a, *b, *c;

	a = thing_create();
	b = thing_create();
	c = thing_create();
	if (lost)
		return;
	thing_destroy(a);
	thing_destroy(b);
	thing_destroy(c);
}

static void unrolled(void)
{
	int i;

#pragma GCC unroll 3
	for (i = 0; i < 3; i++)
		thing_create();
	puts("no call is the last one");
}

int main(int argc, char **argv)
{
	thing_look();
	if (argc > 1 && strcmp(argv[1], "unrolled") == 0)
		unrolled();
	else
		at_lines(argc > 1 && strcmp(argv[1], "lost") == 0);
	return 0;
}
