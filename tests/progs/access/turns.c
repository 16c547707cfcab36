/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Eight threads, twice, which walk over arrays, lists and random places,
 * allocate and release, and count with atomics.  Used by t3410.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	struct node *next;
	char what[40];
	double value;
};

static unsigned total;
static double table[5000];

static double walk(unsigned seed)
{
	struct node *list = NULL;
	double sum = 0;
	uint64_t x = seed + 88172645463325252u;

	for (int i = 0; i < 300; i++) {
		struct node *n = malloc(sizeof(*n)), copy;

		n->next = list;
		n->value = i;
		memset(n->what, i, sizeof(n->what));
		copy = *n;
		sum += copy.what[i % 40];
		list = n;
	}
	for (int lap = 0; lap < 20; lap++)
		for (struct node *n = list; n; n = n->next)
			sum += n->value;
	for (int i = 0; i < 20000; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		sum += table[x % 5000];
	}
	for (int lap = 0; lap < 10; lap++)
		for (int i = lap; i < 4000; i += 1 + lap)
			sum += table[i] * table[4000 - i];
	while (list) {
		struct node *n = list;

		list = n->next;
		free(n);
	}
	return sum;
}

static void *work(void *arg)
{
	double sum = walk((unsigned)(uintptr_t)arg);

	__atomic_fetch_add(&total, sum > 0, __ATOMIC_SEQ_CST);
	return NULL;
}

int main(void)
{
	pthread_t t[8];

	for (int i = 0; i < 5000; i++)
		table[i] = i;
	for (int lap = 0; lap < 2; lap++) {
		for (int i = 0; i < 8; i++)
			pthread_create(&t[i], NULL, work,
				       (void *)(uintptr_t)i);
		for (int i = 0; i < 8; i++)
			pthread_join(t[i], NULL);
	}
	printf("%u\n", total);
	return total != 16;
}
