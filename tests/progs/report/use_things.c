/* SPDX-License-Identifier: Apache-2.0 */
/*
 * use_things LOST COUNT: makes COUNT things of the library things.c one after
 * the other, and gives back all but the first LOST.
 */
#include <stdlib.h>

struct thing;
struct thing *thing_create(void);
void thing_destroy(struct thing *t);
void thing_init(void);
void *thing_look(void);

static void use_thing(int keep)
{
	struct thing *t = thing_create();

	if (!keep)
		thing_destroy(t);
}

int main(int argc, char **argv)
{
	int lost = argc > 1 ? atoi(argv[1]) : 0;
	int count = argc > 2 ? atoi(argv[2]) : 0, i;

	thing_init();
	for (i = 0; i < count; i++) {
		thing_look();
		use_thing(i < lost);
	}
	return 0;
}
