/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All ways to change memory whose pages are followed, and all ways to start
 * another process: what memory holds must be as without.  Prints each
 * difference; status 1 if there was one.  "threads" as argument: forks with
 * threads at work, too.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NUMBERS (1 << 18)
#define LOCALS 4096
#define MEM (1ul << 22)

extern char **environ;
static int bad;
static int numbers[NUMBERS];
static _Thread_local int locals[LOCALS];

#define CHECK(x)                                                               \
	do {                                                                   \
		if (!(x)) {                                                    \
			printf("%d: %s (errno %d)\n", __LINE__, #x, errno);    \
			bad = 1;                                               \
		}                                                              \
	} while (0)

static unsigned long sum(const unsigned char *p, size_t n)
{
	unsigned long s = 0;

	for (size_t i = 0; i < n; i++)
		s = s * 31 + p[i];
	return s;
}

static unsigned char *block;
static void *fillers[8];
static size_t block_bytes;

static void grow_and_shrink(void)
{
	size_t n = 200000;
	unsigned char *p = malloc(n);

	for (size_t i = 0; i < n; i++)
		p[i] = (unsigned char)(i * 7);
	for (int k = 0; k < 8; k++) {
		p = realloc(p, n * 2);
		for (size_t i = 0; i < n; i += 501)
			CHECK(p[i] == (unsigned char)(i * 7));
		for (size_t i = n; i < n * 2; i++)
			p[i] = (unsigned char)(i * 7);
		n *= 2;
		/* in the way of the next one */
		fillers[k] = malloc(300000 + (size_t)k * 4096);
	}
	n /= 3;
	p = realloc(p, n);
	for (size_t i = 0; i < n; i += 501)
		CHECK(p[i] == (unsigned char)(i * 7));
	block = p;
	block_bytes = n;
}

static int ended(int pid)
{
	int status = -1;

	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

/* A child sees the memory of the fork, and no other process sees its writes. */
static int child(int k, unsigned long expected)
{
	if (sum(block, block_bytes) != expected)
		return 1;
	for (int i = 0; i < NUMBERS; i++)
		if (numbers[i] != i + k)
			return 2;
	for (int i = 0; i < LOCALS; i++)
		if (locals[i] != i + k)
			return 3;
	memset(block, 9, block_bytes);
	memset(numbers, 0, sizeof(numbers));
	memset(locals, 0, sizeof(locals));
	free(malloc(1 << 20));
	free(malloc(100));
	if (fork() == 0) {
		memset(block, 3, block_bytes);
		_exit(0);
	}
	wait(NULL);
	return block[5] == 9 ? 42 : 4;
}

static void forks(void)
{
	unsigned long expected = sum(block, block_bytes);

	static int k;

	for (int i = 0; i < 3; i++, k++) {
		int pid = fork();

		if (pid == 0)
			exit(child(k, expected));
		for (int i = 0; i < NUMBERS; i++)
			numbers[i]++;
		for (int i = 0; i < LOCALS; i++)
			locals[i]++;
		CHECK(ended(pid) == 42);
		CHECK(sum(block, block_bytes) == expected);
		for (int i = 0; i < NUMBERS && !bad; i++)
			CHECK(numbers[i] == i + k + 1);
		for (int i = 0; i < LOCALS && !bad; i++)
			CHECK(locals[i] == i + k + 1);
	}
}

static void other_processes(void)
{
	char *argv[] = { "true", NULL }, line[10];
	FILE *f;
	int pid;

	CHECK(system("true") == 0);
	CHECK(posix_spawnp(&pid, "true", NULL, NULL, argv, environ) == 0);
	CHECK(ended(pid) == 0);
	pid = vfork();
	if (pid == 0) {
		execlp("true", "true", (char *)0);
		_exit(1);
	}
	CHECK(ended(pid) == 0);
	f = popen("echo hi", "r");
	CHECK(f && fgets(line, sizeof(line), f) && !strcmp(line, "hi\n"));
	if (f)
		pclose(f);
}

static unsigned char *map(void *at, size_t bytes, int prot)
{
	return mmap(at, bytes, prot,
		    MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);
}

static unsigned char *mappings(void)
{
	unsigned char *m = map(NULL, MEM, PROT_READ | PROT_WRITE), *p;

	memset(m, 5, MEM);
	CHECK(madvise(m + 4096, 8192, MADV_DONTNEED) == 0);
	CHECK(m[4096] == 0 && m[4095] == 5 && m[4096 + 8192] == 5);
	CHECK(munmap(m + 65536, 65536) == 0);
	CHECK(m[65535] == 5 && m[131072] == 5);
	p = map(m + 65536, 65536, PROT_READ | PROT_WRITE);
	CHECK(p == m + 65536 && p[0] == 0 && p[65535] == 0);
	memset(p, 6, 65536);
	CHECK(mprotect(m, 8192, PROT_READ) == 0 && m[0] == 5);
	CHECK(mprotect(m, 8192, PROT_READ | PROT_WRITE) == 0);
	m[0] = 7;
	p = map(NULL, 8192, PROT_READ);
	CHECK(p[0] == 0 && p[5000] == 0);
	/* what the kernel refuses changes nothing */
	CHECK(munmap((void *)1, 10) == -1 && errno == EINVAL);
	CHECK(madvise(m, 4096, 9 /* MADV_REMOVE */) == -1 && errno == EINVAL);
	CHECK(mmap(m, 4096, PROT_READ, MAP_FIXED | MAP_PRIVATE, 99999, 0) ==
	      MAP_FAILED);
	CHECK(m[0] == 7);
	return m;
}

static void moves(unsigned char *m)
{
	unsigned char *g = mremap(m, 65536, 1 << 20, MREMAP_MAYMOVE), *p;

	CHECK(g[0] == 7 && g[65535] == 5 && g[65536] == 0 &&
	      g[(1 << 20) - 1] == 0);
	memset(g, 8, 1 << 20);
	/* where it was: other memory, which is zero */
	p = map(m, 65536, PROT_READ | PROT_WRITE);
	CHECK(p == m && p[0] == 0 && p[65535] == 0);
	memset(p, 1, 65536);
	CHECK(g[0] == 8 && g[65535] == 8);
	g = mremap(g, 1 << 20, 2 << 20, MREMAP_MAYMOVE);
	CHECK(g[0] == 8 && g[(1 << 20) - 1] == 8 && g[1 << 20] == 0);
	CHECK(mremap(g, 2 << 20, 4096, 0) == g && g[0] == 8 && p[0] == 1);
	p = map(NULL, 1 << 20, PROT_NONE);
	CHECK(mremap(g, 4096, 8192, MREMAP_MAYMOVE | MREMAP_FIXED, p) == p);
	CHECK(p[0] == 8 && p[4096] == 0);
}

/* Memory that children are to get in a way of its own. */
static void advised(unsigned char *m)
{
	int pid;

	CHECK(madvise(m, 65536, 18 /* MADV_WIPEONFORK */) == 0 && m[0] == 1);
	CHECK(madvise(m + 262144, 65536, 10 /* MADV_DONTFORK */) == 0);
	pid = fork();
	if (pid == 0)
		_exit(m[0] == 0 && m[140000] == 5 ? 0 : 1);
	CHECK(ended(pid) == 0);
	CHECK(m[0] == 1 && m[262144] == 5);
}

static void breaks(void)
{
	char *p = sbrk(100000), *q;

	memset(p, 3, 100000);
	CHECK(sbrk(-50000) != (void *)-1);
	q = sbrk(50000);
	CHECK(p[100] == 3 && q == p + 50000 && q[49000] == 0);
}

static void *churn(void *arg)
{
	unsigned long s = (uintptr_t)arg;
	char *p = NULL, *q;
	size_t n = 0, m;

	for (int i = 0; i < 1000; i++) {
		s = s * 6364136223846793005ul + 1442695040888963407ul;
		m = (s >> 33) % 300000;
		q = realloc(p, m + 1);
		for (size_t j = 0; j < n && j < m; j += 997)
			if (q[j] != (char)((uintptr_t)arg + j))
				bad = 1;
		for (size_t j = 0; j < m; j += 997)
			q[j] = (char)((uintptr_t)arg + j);
		p = q;
		n = m;
	}
	free(p);
	return NULL;
}

static void threads(int with_fork)
{
	unsigned long expected = sum(block, block_bytes);
	pthread_t t[4];

	for (uintptr_t i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, churn, (void *)(i + 1));
	for (int i = 0; i < 3 * with_fork; i++) {
		int pid = fork();

		if (pid == 0) {
			char *p = malloc(1 << 20);

			memset(p, 1, 1 << 20);
			_exit(sum(block, block_bytes) != expected);
		}
		CHECK(ended(pid) == 0);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	CHECK(sum(block, block_bytes) == expected);
}

int main(int argc, char **argv)
{
	int with_fork = argc > 1 && !strcmp(argv[1], "threads");
	unsigned char *m;

	for (int i = 0; i < NUMBERS; i++)
		numbers[i] = i;
	for (int i = 0; i < LOCALS; i++)
		locals[i] = i;
	grow_and_shrink();
	forks();
	other_processes();
	m = mappings();
	moves(m);
	advised(m);
	breaks();
	threads(with_fork);
	forks();
	if (with_fork) {
		int pid = (int)syscall(SYS_fork);

		if (pid == 0) {
			memset(block, 0, block_bytes);
			_exit(0);
		}
		CHECK(ended(pid) == 0);
		CHECK(block[1] == 7);
	}
	puts(bad ? "differs" : "the same");
	return bad;
}
