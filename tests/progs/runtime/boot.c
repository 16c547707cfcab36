/* SPDX-License-Identifier: Apache-2.0 */
/*
 * boot: with -DLIBRARY a library whose valloc is chosen by a resolver, which
 * grows a block by reallocarray and looks at what it holds; else a program that
 * prints 1 if it holds what the resolver had written, 0 if not and -1 if no
 * resolver has run.  Used by t3127.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LIBRARY
int held = -1;

static void *no_valloc(size_t size)
{
	(void)size;
	return NULL;
}

static void *(*choose(void))(size_t)
{
	char *p = malloc(16);

	memcpy(p, "what it holds", 14);
	p = reallocarray(p, 10, 10);
	held = !strcmp(p, "what it holds");
	return no_valloc;
}

void *valloc(size_t size) __attribute__((ifunc("choose")));
#else
extern int held;

int main(void)
{
	printf("%d\n", held);
	return 0;
}
#endif
