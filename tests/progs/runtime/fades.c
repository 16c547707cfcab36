/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fades KIND [huge|number]: 32 MiB are shared, and 48 MiB more for a while; then
 * 48 MiB of the program's own are touched, and are resident no longer, by a way
 * of its own for each KIND.  They are huge pages with huge, and with number,
 * which asks for them by a system call's number.  Prints the most bytes of
 * RssAnon.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (1l << 20)
#define BYTES (48 * MIB)
#define BLOCKS (12 * MIB / 32)
#define PIECE (64l << 10)
#define FREE 8 /* MADV_FREE */
#define HUGEPAGE 14 /* MADV_HUGEPAGE */
#define PAGEOUT 21 /* MADV_PAGEOUT */

static long most;

static void see(void)
{
	static char text[8192];
	int fd = open("/proc/self/status", O_RDONLY);
	long n = read(fd, text, sizeof(text) - 1), kib;

	close(fd);
	text[n] = 0;
	kib = strtol(strstr(text, "RssAnon:") + 8, NULL, 10);
	if (kib << 10 > most)
		most = kib << 10;
}

static char *map(int flags)
{
	return mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags,
		    -1, 0);
}

/* The runtime looks before it. */
static void look(void)
{
	usleep(20000);
	munmap(mmap(NULL, MIB, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
	       MIB);
	usleep(20000);
}

static void *touch_stack(void *unused)
{
	volatile char mine[BYTES];

	for (long i = 0; i < BYTES; i += 4096)
		mine[i] = 1;
	see();
	return unused;
}

static void thread(void)
{
	pthread_attr_t attr;
	pthread_t t;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, BYTES + MIB);
	pthread_create(&t, &attr, touch_stack, NULL);
	pthread_join(t, NULL);
}

static void small_blocks(void)
{
	static void *p[BLOCKS];

	for (long i = 0; i < BLOCKS; i++)
		p[i] = malloc(1);
	see();
	for (long i = BLOCKS; i--;)
		free(p[i]);
}

/* madvise by an instruction, which no wrapper sees. */
static void drop_by_instruction(char *p)
{
	long r = SYS_madvise;
	register long advice __asm__("rdx") = MADV_DONTNEED;

	__asm__ volatile("syscall"
			 : "+a"(r)
			 : "D"(p), "S"(BYTES), "r"(advice)
			 : "rcx", "r11", "memory");
}

static void map_by_number(void)
{
	char *p = (char *)syscall(SYS_mmap, NULL, BYTES, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(p, 1, BYTES);
	see();
	syscall(SYS_munmap, p, BYTES);
}

static void drop(const char *kind, char *p)
{
	struct iovec v = { p, BYTES };

	if (strcmp(kind, "dontneed") == 0)
		madvise(p, BYTES, MADV_DONTNEED);
	if (strcmp(kind, "free") == 0)
		madvise(p, BYTES, FREE);
	if (strcmp(kind, "pageout") == 0)
		madvise(p, BYTES, PAGEOUT);
	if (strcmp(kind, "pieces") == 0)
		for (long i = 0; i < BYTES; i += PIECE)
			madvise(p + i, PIECE, MADV_DONTNEED);
	if (strcmp(kind, "number") == 0)
		syscall(SYS_madvise, p, BYTES, MADV_DONTNEED);
	if (strcmp(kind, "list") == 0)
		syscall(440, syscall(434, getpid(), 0), &v, 1, MADV_DONTNEED,
			0);
	if (strcmp(kind, "own") == 0 || strcmp(kind, "read") == 0)
		drop_by_instruction(p);
	if (strcmp(kind, "over") == 0)
		mmap(p, BYTES, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (strcmp(kind, "again") == 0)
		for (long i = 0; i < BYTES; i += PIECE)
			mmap(p + i, PIECE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (strcmp(kind, "parts") == 0)
		for (long i = 0; i < BYTES; i += PIECE)
			munmap(p + i, PIECE);
	if (strcmp(kind, "shrink") == 0)
		for (long i = BYTES; i > PIECE; i -= PIECE)
			mremap(p, i, i - PIECE, 0);
}

/* 144 MiB that another process has written and that are shared: a fault maps
 * several pages.  And 48 of its own, untouched. */
static long read_shared(void)
{
	volatile char *p[4];
	long sum = 0;

	for (int k = 0; k < 4; k++)
		p[k] = map(k ? MAP_SHARED : MAP_PRIVATE);
	if (!fork()) {
		for (int k = 1; k < 4; k++)
			memset((char *)p[k], 1, BYTES);
		_exit(0);
	}
	wait(NULL);
	for (long i = 0; i < 3 * BYTES; i += 4096)
		sum += p[1 + i / BYTES][i % BYTES];
	return sum;
}

int main(int argc, char **argv)
{
	char *shared = map(MAP_SHARED), *p = map(MAP_PRIVATE);
	char *q = map(MAP_SHARED);

	/* in huge pages, where the machine has them */
	if (argc > 2 && strcmp(argv[2], "number") == 0)
		syscall(SYS_madvise, p, BYTES, HUGEPAGE);
	else if (argc > 2)
		madvise(p, BYTES, HUGEPAGE);
	memset(shared, 1, 32 * MIB);
	memset(q, 1, BYTES);
	look();
	munmap(q, BYTES);
	look();
	if (strcmp(argv[1], "thread") == 0) {
		thread();
	} else if (strcmp(argv[1], "blocks") == 0) {
		small_blocks();
	} else if (strcmp(argv[1], "raw") == 0) {
		map_by_number();
	} else if (strcmp(argv[1], "break") == 0) {
		q = sbrk(BYTES);
		memset(q, 1, BYTES);
		see();
		sbrk(-BYTES);
	} else if (strcmp(argv[1], "shared") == 0) {
		memset(p, 1, 32 * MIB);
		madvise(p, BYTES, MADV_DONTNEED);
		madvise(shared, 32 * MIB, MADV_DONTNEED);
		memset(p, 1, BYTES);
		see();
		madvise(p, BYTES, MADV_DONTNEED);
		memset(shared, 1, 32 * MIB);
	} else {
		if (strcmp(argv[1], "read") == 0)
			read_shared();
		memset(p, 1, BYTES);
		see();
		drop(argv[1], p);
	}
	see();
	printf("%ld\n", most);
	return 0;
}
