/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recursive sort of so many numbers, then a small function in a loop, and a
 * longjmp out of some calls.  Prints how many functions began, how deep they
 * were in each other at most, and an element.  Used by t3485.  Allocates
 * nothing.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static int all[2000000];
static long began, deep, deepest;
static jmp_buf out;

#define BEGIN                                                                  \
	do {                                                                   \
		began++;                                                       \
		if (++deep > deepest)                                          \
			deepest = deep;                                        \
	} while (0)
#define END (deep--)

static void swap(int *a, int *b)
{
	int t = *a;

	BEGIN;
	*a = *b;
	*b = t;
	END;
}

static void sort(int *v, int n)
{
	int i = 0, j = n - 1, p;

	BEGIN;
	if (n > 1) {
		for (p = v[n / 2]; i <= j;) {
			while (v[i] < p)
				i++;
			while (v[j] > p)
				j--;
			if (i <= j)
				swap(&v[i++], &v[j--]);
		}
		sort(v, j + 1);
		sort(v + i, n - i);
	}
	END;
}

static __attribute__((noinline)) int small(const int *x)
{
	BEGIN;
	END;
	return *x + 1;
}

static __attribute__((noinline)) void leave(volatile int n)
{
	BEGIN;
	if (!n)
		longjmp(out, 1);
	leave(n - 1);
	all[n]++;
	END;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1000;
	unsigned seed = 1;
	long sum = 0;

	BEGIN;
	for (int i = 0; i < n; i++)
		all[i] = (int)((seed = seed * 1103515245 + 12345) >> 8);
	sort(all, n);
	for (int i = 0; i < n; i++)
		sum += small(&all[i]);
	if (!setjmp(out))
		leave(5);
	sum += small(&all[0]);
	printf("%ld %ld %d %ld\n", began, deepest, all[n / 2], sum);
	return 0;
}
