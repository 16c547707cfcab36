/* SPDX-License-Identifier: Apache-2.0 */
/*
 * killed FILE THREADS CALLS [HOW]: each thread calls malloc, calloc, realloc and free
 * CALLS times (0: for ever), on ever new call paths, and frees what others
 * allocated.  With HOW the first thread ends the process when it is done:
 * abort, segv, kill (SIGKILL).  FILE, mapped shared, tells at any time how many of the calls
 * each thread has begun and done:
 *   ready, then per thread (tid, begun, done, 0), in 64-bit numbers.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define THREADS 16
#define HELD 300

struct calls {
	volatile uint64_t tid, begun, done, zero;
};

struct progress {
	volatile uint64_t ready;
	struct calls thread[THREADS];
};

static struct progress *progress;
static unsigned long limit;
static _Atomic(void *) box[HELD];

/* One call of malloc at the end of a path that @bits choose. */
static void *left(unsigned bits, unsigned depth, size_t n);
static __attribute__((noinline)) void *right(unsigned bits, unsigned depth,
					     size_t n)
{
	void *volatile p = !depth ? malloc(n) :
			   bits & 1 ? left(bits >> 1, depth - 1, n) :
				      right(bits >> 1, depth - 1, n);
	return p;
}

static __attribute__((noinline)) void *left(unsigned bits, unsigned depth,
					    size_t n)
{
	void *volatile p = !depth ? calloc(1, n) :
			   bits & 1 ? left(bits >> 1, depth - 1, n) :
				      right(bits >> 1, depth - 1, n);
	return p;
}

/* One call more. */
#define COUNTED(t, call)                                                       \
	do {                                                                   \
		(t)->begun++;                                                  \
		call;                                                          \
		(t)->done++;                                                   \
	} while (0)

/* The clock may be read before an exchange is over; then a release can have a
 * stamp from before the block was there.  That is not what is tested here. */
static inline void settle(void)
{
#if defined(__x86_64__)
	__asm__ volatile("lfence" : : : "memory");
#endif
}

static void *work(void *arg)
{
	unsigned me = (unsigned)(uintptr_t)arg, seed = me;
	struct calls *t = &progress->thread[me];

	t->tid = (uint64_t)syscall(SYS_gettid);
	while (!limit || t->done < limit) {
		void *p;
		unsigned r = seed = seed * 1103515245 + 12345;

		/* more of the bits change as time goes by */
		COUNTED(t, p = right(r >> 16 & (unsigned)(t->done >> 6), 12,
				     r >> 16 & 1023));
		if ((r >> 8 & 15) == 0)
			COUNTED(t, p = realloc(p, (r >> 12 & 2047) + 1));
		p = atomic_exchange(&box[(r >> 4) % HELD], p);
		settle();
		if (p)
			COUNTED(t, free(p));
	}
	return NULL;
}

static void end(const char *how)
{
	if (strcmp(how, "abort") == 0)
		abort();
	raise(strcmp(how, "segv") == 0 ? SIGSEGV : SIGKILL);
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
	int fd = argc > 3 ? open(argv[1], O_RDWR | O_CREAT, 0644) : -1;

	if (fd < 0 || n > THREADS || ftruncate(fd, sizeof(*progress)))
		return 2;
	progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE,
			MAP_SHARED, fd, 0);
	limit = strtoul(argv[3], NULL, 10);
	for (unsigned i = 1; i < n; i++)
		if (pthread_create(&thread[i], NULL, work,
				   (void *)(uintptr_t)i))
			return 3;
	progress->ready = 1;
	work(NULL);
	/* all have done something by then, however busy the machine is */
	for (unsigned i = 1; i < n && argc > 4; i++)
		while (progress->thread[i].done < limit / 2)
			sched_yield();
	if (argc > 4)
		end(argv[4]);
	for (unsigned i = 1; i < n; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
