/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A counting allocator: what lies under a program, as an oracle for traces.
 * Linked into a static program, or LD_PRELOADed into a dynamic one, it takes
 * the place of libc's malloc, so it sees every call that arrives, whoever
 * makes it and however.  It knows nothing of wmtools.
 *
 * The counters are in the file $WM_COUNT from the first call to the last
 * moment of the process (struct counters below, 64-bit little-endian words).
 * Memory is never used again: for short programs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

#define ARENA (1ul << 36) /* address space; touched as it is used */

struct counters {
	_Atomic uint64_t malloc, calloc, realloc, free, aligned, failed;
	_Atomic int64_t bytes, blocks; /* live */
	_Atomic uint64_t foreign; /* frees of what is not ours */
};

extern char **environ;
static struct counters none, *_Atomic count;
static char *_Atomic arena;
static _Atomic size_t used;

static long sys6(long n, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long r;

	__asm__ volatile("syscall"
			 : "=a"(r)
			 : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
			   "r"(r9)
			 : "rcx", "r11", "memory");
	return r;
}

/* The first call comes before main and from one thread. */
static struct counters *start(void)
{
	struct counters *c = &none;
	long fd;

	arena = (char *)sys6(SYS_mmap, 0, ARENA, 3, 0x4022, -1, 0);
	for (char **e = environ; e && *e; e++) {
		if (strncmp(*e, "WM_COUNT=", 9))
			continue;
		fd = sys6(SYS_open, (long)(*e + 9), O_RDWR | O_CREAT, 0600, 0,
			  0, 0);
		sys6(SYS_ftruncate, fd, sizeof(*c), 0, 0, 0, 0);
		c = (struct counters *)sys6(SYS_mmap, 0, sizeof(*c), 3,
					    1 /* MAP_SHARED */, fd, 0);
		sys6(SYS_close, fd, 0, 0, 0, 0, 0);
	}
	count = c;
	return c;
}

static struct counters *counters(void)
{
	struct counters *c = count;

	return c ? c : start();
}

/* The size stands before the block. */
static void *get(size_t size, size_t align)
{
	struct counters *c = counters();
	size_t room = size + align + 32, at;
	uintptr_t p;

	if (size > ARENA / 4) {
		c->failed++;
		errno = ENOMEM;
		return NULL;
	}
	at = atomic_fetch_add(&used, (room + 15) & ~(size_t)15);
	p = ((uintptr_t)arena + at + 16 + align - 1) & ~(uintptr_t)(align - 1);
	((size_t *)p)[-1] = size;
	c->bytes += (int64_t)size;
	c->blocks++;
	return (void *)p;
}

static int ours(const void *p)
{
	return (const char *)p >= arena && (const char *)p < arena + ARENA;
}

static void put(void *p)
{
	struct counters *c = counters();

	if (!ours(p)) {
		c->foreign++;
		return;
	}
	c->bytes -= (int64_t)((size_t *)p)[-1];
	c->blocks--;
}

static void *aligned(size_t align, size_t size)
{
	void *p = get(size, align < 16 ? 16 : align);

	if (p)
		counters()->aligned++;
	return p;
}

void *malloc(size_t size)
{
	void *p = get(size, 16);

	if (p)
		counters()->malloc++;
	return p;
}

void *calloc(size_t n, size_t size)
{
	void *p = get(size && n > SIZE_MAX / size ? SIZE_MAX : n * size, 16);

	if (p)
		counters()->calloc++;
	return p;
}

void free(void *p)
{
	if (!p)
		return;
	counters()->free++;
	put(p);
}

void *realloc(void *old, size_t size)
{
	size_t have;
	void *p;

	if (old && !size) {
		counters()->realloc++;
		put(old);
		return NULL;
	}
	p = get(size, 16);
	if (!p)
		return NULL;
	counters()->realloc++;
	if (old) {
		have = ((size_t *)old)[-1];
		memcpy(p, old, have < size ? have : size);
		put(old);
	}
	return p;
}

void *reallocarray(void *old, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size) {
		counters()->failed++;
		errno = ENOMEM;
		return NULL;
	}
	return realloc(old, n * size);
}

int posix_memalign(void **out, size_t align, size_t size)
{
	void *p = aligned(align, size);

	if (p)
		*out = p;
	return p ? 0 : ENOMEM;
}

void *aligned_alloc(size_t align, size_t size)
{
	return aligned(align, size);
}

void *memalign(size_t align, size_t size)
{
	return aligned(align, size);
}

void *valloc(size_t size)
{
	return aligned(4096, size);
}

void *pvalloc(size_t size)
{
	return aligned(4096, size);
}

size_t malloc_usable_size(void *p)
{
	return p ? ((size_t *)p)[-1] : 0;
}
