/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A second opinion: stands between a program's hooks and ours (ld --wrap of what
 * this object defines), and writes each access down as it is:
 * 32 bytes, RAW_DIR/TID.  It calls ours last, by a jump, so that the place that
 * called is the same.
 *
 * One thread's accesses are written when its buffer is full or the process
 * ends; at most 64 threads.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct raw {
	uint64_t pc, addr;
	uint32_t kind, how;
	uint64_t bytes;
};

#define RECORDS 65536
#define THREADS 64

struct buffer {
	int fd;
	size_t n;
	struct raw at[RECORDS];
};

static struct buffer *all[THREADS];
static int used;
static __thread struct buffer *mine;

static void empty(struct buffer *b)
{
	if (write(b->fd, b->at, b->n * sizeof(b->at[0])) < 0)
		_exit(99);
	b->n = 0;
}

static __attribute__((noinline)) void begin(void)
{
	char path[4096], digits[24], *d = digits + sizeof(digits), *p = path;
	const char *dir = getenv("RAW_DIR");
	unsigned long tid = (unsigned long)syscall(SYS_gettid);
	int i = __atomic_fetch_add(&used, 1, __ATOMIC_SEQ_CST);

	while (dir && *dir)
		*p++ = *dir++;
	*p++ = '/';
	for (*--d = 0; tid; tid /= 10)
		*--d = (char)('0' + tid % 10);
	while ((*p++ = *d++))
		;
	mine = mmap(NULL, sizeof(*mine), PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mine->fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (i >= THREADS || mine->fd < 0)
		_exit(98);
	all[i] = mine;
}

__attribute__((destructor(101))) static void end(void)
{
	for (int i = 0; i < used; i++)
		empty(all[i]);
}

/* The ranges that came last, newest first: gcc tells of a struct that it copies
 * or sets, and may do that by memcpy or memset, which is no further access. */
static __thread struct raw range[2];

static inline void note(const volatile void *p, const void *pc, uint32_t kind,
			uint32_t how, uint64_t bytes)
{
	range[0].bytes = 0;
	if (!mine)
		begin();
	mine->at[mine->n++] = (struct raw){ (uintptr_t)pc, (uintptr_t)p, kind,
					    how, bytes };
	if (mine->n == RECORDS)
		empty(mine);
}

static inline void note_range(const volatile void *p, const void *pc,
			      uint32_t kind, uint64_t bytes)
{
	struct raw before = range[0];

	note(p, pc, kind, 2, bytes);
	range[1] = before;
	range[0] = (struct raw){ 0, (uintptr_t)p, kind, 2, bytes };
}

static int is_range(const struct raw *r, const void *p, uint32_t kind,
		    uint64_t bytes)
{
	return r->addr == (uintptr_t)p && r->kind == kind && r->bytes == bytes;
}

static void note_block(const void *to, const void *from, const void *pc,
		       uint64_t bytes)
{
	int told;

	if (!bytes)
		return;
	if (from)
		told = range[0].bytes && range[1].bytes &&
		       ((is_range(&range[0], from, 0, bytes) &&
			 is_range(&range[1], to, 1, bytes)) ||
			(is_range(&range[1], from, 0, bytes) &&
			 is_range(&range[0], to, 1, bytes)));
	else
		told = range[0].bytes && is_range(&range[0], to, 1, bytes);
	if (told) {
		range[0].bytes = 0;
		return;
	}
	if (from)
		note(from, pc, 0, 3, bytes);
	note(to, pc, 1, 3, bytes);
}

#define HERE __builtin_return_address(0)

#define PLAIN(name, size, kind)                                                \
	void __real___tsan_##name##size(void *p);                              \
	void __wrap___tsan_##name##size(void *p);                              \
	void __wrap___tsan_##name##size(void *p)                               \
	{                                                                      \
		note(p, HERE, kind, 0, size);                                  \
		__real___tsan_##name##size(p);                                 \
	}
#define SIZES(name, kind)                                                      \
	PLAIN(name, 1, kind)                                                   \
	PLAIN(name, 2, kind)                                                   \
	PLAIN(name, 4, kind)                                                   \
	PLAIN(name, 8, kind)                                                   \
	PLAIN(name, 16, kind)
SIZES(read, 0)
SIZES(write, 1)
SIZES(read_write, 2)
SIZES(volatile_read, 0)
SIZES(volatile_write, 1)
SIZES(unaligned_read, 0)
SIZES(unaligned_write, 1)

#define ATOMIC(bits, type)                                                     \
	type __real___tsan_atomic##bits##_load(const volatile type *p, int o); \
	type __wrap___tsan_atomic##bits##_load(const volatile type *p, int o); \
	type __wrap___tsan_atomic##bits##_load(const volatile type *p, int o)  \
	{                                                                      \
		note(p, HERE, 0, 1, sizeof(*p));                               \
		return __real___tsan_atomic##bits##_load(p, o);                \
	}                                                                      \
	type __real___tsan_atomic##bits##_fetch_add(volatile type *p, type v,  \
						    int o);                    \
	type __wrap___tsan_atomic##bits##_fetch_add(volatile type *p, type v,  \
						    int o);                    \
	type __wrap___tsan_atomic##bits##_fetch_add(volatile type *p, type v,  \
						    int o)                     \
	{                                                                      \
		note(p, HERE, 2, 1, sizeof(*p));                               \
		return __real___tsan_atomic##bits##_fetch_add(p, v, o);        \
	}
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

#define RANGE(name, kind)                                                      \
	void __real___tsan_##name##_range(void *p, size_t n);                  \
	void __wrap___tsan_##name##_range(void *p, size_t n);                  \
	void __wrap___tsan_##name##_range(void *p, size_t n)                   \
	{                                                                      \
		if (n)                                                         \
			note_range(p, HERE, kind, n);                          \
		__real___tsan_##name##_range(p, n);                            \
	}
RANGE(read, 0)
RANGE(write, 1)

void __real___tsan_vptr_update(void **p, void *v);
void __wrap___tsan_vptr_update(void **p, void *v);
void __wrap___tsan_vptr_update(void **p, void *v)
{
	note(p, HERE, 1, 0, sizeof(*p));
	__real___tsan_vptr_update(p, v);
}

void __real___tsan_vptr_read(void **p);
void __wrap___tsan_vptr_read(void **p);
void __wrap___tsan_vptr_read(void **p)
{
	note(p, HERE, 0, 0, sizeof(*p));
	__real___tsan_vptr_read(p);
}

#define COPY(name)                                                             \
	void *__real_wm_access_##name(void *to, const void *from, size_t n);   \
	void *__wrap_wm_access_##name(void *to, const void *from, size_t n);   \
	void *__wrap_wm_access_##name(void *to, const void *from, size_t n)    \
	{                                                                      \
		note_block(to, from, HERE, n);                                 \
		return __real_wm_access_##name(to, from, n);                   \
	}
COPY(memcpy)
COPY(memmove)

void *__real_wm_access_memset(void *to, int c, size_t n);
void *__wrap_wm_access_memset(void *to, int c, size_t n);
void *__wrap_wm_access_memset(void *to, int c, size_t n)
{
	note_block(to, NULL, HERE, n);
	return __real_wm_access_memset(to, c, n);
}

size_t __real_wm_access_strlen(const char *s);
size_t __wrap_wm_access_strlen(const char *s);
size_t __wrap_wm_access_strlen(const char *s)
{
	size_t n = 0;

	while (s[n++])
		;
	note(s, HERE, 0, 3, n);
	return __real_wm_access_strlen(s);
}
