/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library of things, compiled without -g: a thing has two blocks of 40 and
 * 100 bytes.  thing_init() keeps 1 block of 400 bytes and 16 of 24; the first
 * thing_create() keeps 20 nodes of 32 bytes, a thing_look() 1 block of 3000.
 */
#include <stdlib.h>

struct thing {
	char *data;
	char room[32];
};

struct thing *thing_create(void);
void thing_destroy(struct thing *t);
void thing_init(void);
void *thing_look(void);

void **thing_cells;
void *thing_node[20];

void thing_init(void)
{
	int i;

	thing_cells = malloc(400);
	for (i = 0; i < 16; i++)
		thing_cells[i] = malloc(24);
}

static void make_nodes(void)
{
	int i;

	for (i = 0; i < 20; i++)
		thing_node[i] = malloc(32);
}

struct thing *thing_create(void)
{
	struct thing *t = malloc(sizeof(*t));

	if (!thing_node[0])
		make_nodes();
	t->data = malloc(100);
	return t;
}

void thing_destroy(struct thing *t)
{
	free(t->data);
	free(t);
}

void *thing_look(void)
{
	static void *seen;

	if (!seen)
		seen = malloc(3000);
	return seen;
}
