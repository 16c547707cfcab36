/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pages WHAT: loads and stores of many pages.  Used by t3456.
 *
 * crowd: eight threads, each of which ends soon and comes again 7 times, write
 *   own pages of a block and read shared ones; copies, strings and accesses that
 *   lie across the ends of pages.
 * forever: writes a block of 64 pages, page by page, again and again, and prints
 *   a line for each 100 times.
 * fork: writes a page; a child writes another one and goes on to run for
 *   0.2 s; then the parent writes a third, and ends.
 * many PAGES: reads each page of a block, writes every 16th, twice.
 * handlers: a timer's handler writes pages of its own, while pages are written.
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096ul
#define THREADS 8

static char shared[64 * PAGE];
static char block[THREADS * 96 * PAGE];
static volatile long sum;

static void *one_of_crowd(void *arg)
{
	uintptr_t me = (uintptr_t)arg;
	volatile char *own = block + me * 96 * PAGE;
	char *copy = malloc(5 * PAGE);

	for (size_t i = 0; i < 90; i++)
		own[i * PAGE + i] = (char)i;
	for (size_t i = 0; i < 64; i++)
		sum += shared[i * PAGE];
	memcpy(copy, shared + me * PAGE, 5 * PAGE);
	sum += (long)strlen(shared);
	/* four bytes of two pages */
	for (size_t i = 1; i < 20; i++) {
		uint32_t word = (uint32_t)i;

		memcpy(&shared[i * 3 * PAGE - 2], &word, sizeof(word));
		memcpy(&word, (char *)own + i * PAGE - 2, sizeof(word));
		sum += word;
	}
	free(copy);
	return NULL;
}

static int crowd(void)
{
	pthread_t t[THREADS];

	memset(shared, 'a', 3 * PAGE);
	for (int lap = 0; lap < 7; lap++) {
		for (uintptr_t i = 0; i < THREADS; i++)
			pthread_create(&t[i], NULL, one_of_crowd, (void *)i);
		for (int i = 0; i < THREADS; i++)
			pthread_join(t[i], NULL);
	}
	return 0;
}

static int forever(void)
{
	volatile char *p = malloc(65 * PAGE);

	for (;;) {
		for (int lap = 0; lap < 100; lap++)
			for (size_t at = 0; at < 64 * PAGE; at += 8)
				p[at] = 1;
		puts("100");
		fflush(stdout);
	}
}

static int forks(void)
{
	volatile char *p = aligned_alloc(PAGE, 3 * PAGE);
	int status = 1, pid;

	p[0] = 1;
	pid = fork();
	if (!pid) {
		clock_t end = clock() + CLOCKS_PER_SEC / 5;

		p[PAGE] = 2;
		while (clock() < end)
			p[PAGE]++;
		_exit(p[0] != 1);
	}
	p[2 * PAGE] = 3;
	waitpid(pid, &status, 0);
	printf("%lx\n", (unsigned long)p / PAGE);
	return status || p[PAGE] == 2;
}

static int many(size_t pages)
{
	volatile char *p = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
				0);

	for (int lap = 0; lap < 2; lap++)
		for (size_t i = 0; i < pages; i++) {
			if (i % 16)
				sum += p[i * PAGE];
			else
				p[i * PAGE] = 1;
		}
	printf("%lx\n", (unsigned long)p / PAGE);
	return 0;
}

static volatile char *handlers_own;
static volatile int handled;

static void on_timer(int signal)
{
	(void)signal;
	handlers_own[(handled % 1000) * PAGE] = 1;
	handled++;
}

static int handlers(void)
{
	const struct itimerval often = { { 0, 100 }, { 0, 100 } };
	volatile char *p = malloc(20000 * PAGE);

	handlers_own = malloc(1001 * PAGE);
	signal(SIGALRM, on_timer);
	setitimer(ITIMER_REAL, &often, NULL);
	while (handled < 3000)
		for (size_t i = 0; i < 20000; i++)
			p[i * PAGE] = 1;
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "crowd"))
		return crowd();
	if (!strcmp(what, "forever"))
		return forever();
	if (!strcmp(what, "fork"))
		return forks();
	if (!strcmp(what, "many"))
		return many(strtoul(argv[2], NULL, 0));
	if (!strcmp(what, "handlers"))
		return handlers();
	return 2;
}
