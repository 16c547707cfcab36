/* SPDX-License-Identifier: Apache-2.0 */
/*
 * areas MS FILE: read some pages and write others, in .data, .bss, a large
 * block and 32 blocks of the break, the same in each run, in four parts of MS
 * of CPU time.  FILE: "NAME ADDRESS BYTES" of each area, in hexadecimal.
 * For t3320.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PAGE 4096u
#define BLOCKS 32
#define AREAS (3 + BLOCKS)

static char zeroes[400 * PAGE];
static char data[100 * PAGE] = { 1 };
static struct {
	const char *name;
	volatile char *p;
	size_t bytes;
} area[AREAS];
static unsigned seed = 1;

static void set(int i, const char *name, char *p, size_t bytes)
{
	area[i].name = name;
	area[i].p = p;
	area[i].bytes = bytes;
}

static int say(const char *path)
{
	FILE *f = fopen(path, "w");

	for (int i = 0; f && i < AREAS; i++)
		fprintf(f, "%s %lx %lx\n", area[i].name,
			(unsigned long)(uintptr_t)area[i].p,
			(unsigned long)area[i].bytes);
	return !f || fclose(f);
}

/* About one of six pages is read and one is written. */
static void touch(volatile char *p, size_t bytes)
{
	for (size_t at = 100; at < bytes; at += PAGE) {
		seed = seed * 1664525 + 1013904223;
		if ((seed >> 24) % 6 == 0)
			(void)p[at];
		else if ((seed >> 24) % 6 == 1)
			p[at] = 1;
	}
}

static void spend(long ms)
{
	clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000);

	while (clock() < end)
		;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	set(0, "bss", zeroes, sizeof(zeroes));
	set(1, "data", data, sizeof(data));
	set(2, "block", malloc(500 * PAGE), 500 * PAGE);
	for (int i = 3; i < AREAS; i++)
		set(i, "break", malloc(5 * PAGE), 5 * PAGE);
	for (int i = 2; i < AREAS; i++)
		if (!area[i].p)
			return 2;
	for (int part = 0; part < 4; part++) {
		for (int i = 0; i < AREAS; i++)
			touch(area[i].p, area[i].bytes);
		spend(atol(argv[1]));
	}
	return say(argv[2]);
}
