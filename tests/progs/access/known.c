/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores of known numbers, each of 8 bytes.  Used by t5320 and t6200.
 *
 *   table   1,000 stores in order, 250 loads, every fourth
 *   cells   50 loads and 50 stores of .y; 10 stores of .x
 *   first   (heap) 100 stores; it is freed, and second has its address
 *   second  30 stores, 60 loads; realloc by grow
 *   grow    200 loads, of the same block and what was added
 *   list    40 blocks: 80 stores, 3 times 80 loads
 *   main's stack  20 stores, 10 loads
 *   shared  (heap of main) by threads 2 to 5: 4 times 500 loads, 4 times 500
 *           stores; freed by main when they have ended
 *
 * Prints "reused" if second has the address of first.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

struct cell {
	long key;
	volatile long x, y;
};

struct node {
	struct node *volatile next;
	volatile long value;
};

static volatile long table[1000];
static struct cell cells[50];

NOINLINE static void fill(volatile long *to, long n)
{
	for (long i = 0; i < n; i++)
		to[i] = i;
}

NOINLINE static void look(volatile long *at, long n, long step)
{
	for (long i = 0; i < n; i += step)
		(void)at[i];
}

NOINLINE static void move_cells(void)
{
	for (long i = 0; i < 50; i++)
		cells[i].y++;
	for (long i = 0; i < 10; i++)
		cells[i].x = i;
}

NOINLINE static volatile long *first(void)
{
	return malloc(800);
}

NOINLINE static volatile long *second(void)
{
	return malloc(800);
}

NOINLINE static volatile long *grow(volatile long *p)
{
	return realloc((void *)(uintptr_t)p, 1600);
}

NOINLINE static struct node *list(long n)
{
	struct node *head = NULL;

	while (n--) {
		struct node *x = malloc(sizeof(*x));

		x->next = head;
		x->value = n;
		head = x;
	}
	return head;
}

NOINLINE static void walk(struct node *x)
{
	for (; x; x = x->next)
		(void)x->value;
}

NOINLINE static volatile long *shared(void)
{
	return malloc(500 * sizeof(long));
}

static void *work(void *arg)
{
	volatile long *p = arg;

	fill(p, 500);
	look(p, 500, 1);
	return NULL;
}

int main(void)
{
	volatile long stack[20], *p, *q;
	pthread_t t[4];
	struct node *head;
	uintptr_t was;

	fill(table, 1000);
	look(table, 1000, 4);
	move_cells();
	p = first();
	fill(p, 100);
	was = (uintptr_t)p;
	free((void *)(uintptr_t)p);
	q = second();
	if ((uintptr_t)q == was)
		puts("reused");
	fill(q, 30);
	look(q, 60, 1);
	q = grow(q);
	look(q, 200, 1);
	free((void *)(uintptr_t)q);
	head = list(40);
	for (int i = 0; i < 3; i++)
		walk(head);
	fill(stack, 20);
	look(stack, 10, 1);
	p = shared();
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, work, (void *)(uintptr_t)p);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	free((void *)(uintptr_t)p);
	return 0;
}
