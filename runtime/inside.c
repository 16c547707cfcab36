/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/inside.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "runtime/clock.h"
#include "runtime/fpenv.h"
#include "runtime/sys.h"

#define CHUNK_BYTES (256u << 10)
#define LARGE_BYTES (32u << 10) /* from here on mapped one by one */
#define CLASSES 11 /* 32 bytes to 32 KiB */

/* Before each piece of memory that is handed out. */
struct piece {
	uint64_t size; /* that may be used */
	struct piece *next; /* of the large ones; or of those that are free */
	struct piece *prev, *unused;
};

struct chunk {
	struct chunk *next;
	uint64_t unused[7];
};

static struct {
	int (*open)(int flags);
	uint64_t file_size;
	size_t limit, mapped;
	uint64_t deadline;
	struct chunk *chunks;
	size_t chunk_used;
	struct piece *large;
	struct piece *free[CLASSES];
} inside;

/* 1 in the thread that is at it */
static __thread int on __attribute__((tls_model("initial-exec")));
static int error;

int wm_replay_is_late(void)
{
	return wm_clock_ns(CLOCK_MONOTONIC) >= inside.deadline;
}

/* ---- memory ---- */

static void *map(size_t bytes)
{
	long r;

	/* not the pool's: it keeps what it has */
	if (bytes > inside.limit - inside.mapped)
		return NULL;
	r = WM_SYS6(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (wm_sys_bad(r))
		return NULL;
	inside.mapped += bytes;
	return (void *)r;
}

static void unmap(void *p, size_t bytes)
{
	WM_SYS2(SYS_munmap, p, bytes);
	inside.mapped -= bytes;
}

static size_t whole_pages(size_t bytes)
{
	return (bytes + 4095) & ~(size_t)4095;
}

static void *large_new(size_t size)
{
	struct piece *p = map(whole_pages(size + sizeof(*p)));

	if (!p)
		return NULL;
	p->size = whole_pages(size + sizeof(*p)) - sizeof(*p);
	p->prev = NULL;
	p->next = inside.large;
	if (p->next)
		p->next->prev = p;
	inside.large = p;
	return p + 1;
}

static void large_free(struct piece *p)
{
	if (p->next)
		p->next->prev = p->prev;
	if (p->prev)
		p->prev->next = p->next;
	else
		inside.large = p->next;
	unmap(p, p->size + sizeof(*p));
}

static unsigned class_of(size_t size)
{
	return size <= 32 ? 0 : 59 - (unsigned)__builtin_clzl(size - 1);
}

static void *small_new(unsigned class)
{
	size_t size = (size_t)32 << class;
	struct piece *p = inside.free[class];

	if (p) {
		inside.free[class] = p->next;
		return p + 1;
	}
	if (!inside.chunks ||
	    inside.chunk_used + sizeof(*p) + size > CHUNK_BYTES) {
		struct chunk *c = map(CHUNK_BYTES);

		if (!c)
			return NULL;
		c->next = inside.chunks;
		inside.chunks = c;
		inside.chunk_used = sizeof(*c);
	}
	p = (void *)((char *)inside.chunks + inside.chunk_used);
	inside.chunk_used += sizeof(*p) + size;
	p->size = size;
	return p + 1;
}

void *wm_inside_malloc(size_t size);
void *wm_inside_malloc(size_t size)
{
	if (!on || size > SIZE_MAX / 2)
		return NULL;
	return size > LARGE_BYTES ? large_new(size) :
				    small_new(class_of(size));
}

void wm_inside_free(void *block);
void wm_inside_free(void *block)
{
	struct piece *p;
	unsigned class;

	if (!block)
		return;
	p = (struct piece *)block - 1;
	if (p->size > LARGE_BYTES) {
		large_free(p);
		return;
	}
	class = class_of(p->size);
	p->next = inside.free[class];
	inside.free[class] = p;
}

void *wm_inside_calloc(size_t n, size_t size);
void *wm_inside_calloc(size_t n, size_t size)
{
	void *p = NULL;

	if (!__builtin_mul_overflow(n, size, &size))
		p = wm_inside_malloc(size);
	/* large ones are fresh pages */
	return p && size <= LARGE_BYTES ? memset(p, 0, size) : p;
}

void *wm_inside_realloc(void *block, size_t size);
void *wm_inside_realloc(void *block, size_t size)
{
	struct piece *p;
	void *to;

	if (!block)
		return wm_inside_malloc(size);
	p = (struct piece *)block - 1;
	if (size <= p->size)
		return block;
	to = wm_inside_malloc(size);
	if (to) {
		memcpy(to, block, p->size);
		wm_inside_free(block);
	}
	return to;
}

char *wm_inside_strndup(const char *s, size_t n);
char *wm_inside_strndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *to = wm_inside_malloc(len + 1);

	if (!to)
		return NULL;
	memcpy(to, s, len);
	to[len] = 0;
	return to;
}

char *wm_inside_strdup(const char *s);
char *wm_inside_strdup(const char *s)
{
	return wm_inside_strndup(s, SIZE_MAX / 2);
}

void *wm_inside_mmap(void *addr, size_t size, int prot, int flags, int fd,
		     long offset);
void *wm_inside_mmap(void *addr, size_t size, int prot, int flags, int fd,
		     long offset)
{
	void *p = map(whole_pages(size));

	(void)addr;
	(void)prot;
	(void)flags;
	(void)fd;
	(void)offset;
	return p ? p : MAP_FAILED;
}

int wm_inside_munmap(void *p, size_t size);
int wm_inside_munmap(void *p, size_t size)
{
	unmap(p, whole_pages(size));
	return 0;
}

/* Only to grow. */
void *wm_inside_mremap(void *old, size_t was, size_t size, int flags);
void *wm_inside_mremap(void *old, size_t was, size_t size, int flags)
{
	void *p = map(whole_pages(size));

	(void)flags;
	if (!p)
		return MAP_FAILED;
	memcpy(p, old, was);
	unmap(old, whole_pages(was));
	return p;
}

int wm_inside_madvise(void *p, size_t size, int advice);
int wm_inside_madvise(void *p, size_t size, int advice)
{
	(void)p;
	(void)size;
	(void)advice;
	return 0; /* no huge pages: what is not touched shall cost nothing */
}

/* ---- files ---- */

int *wm_inside_errno(void);
int *wm_inside_errno(void)
{
	return &error;
}

static long told(long r)
{
	if (!wm_sys_bad(r))
		return r;
	error = (int)-r;
	return -1;
}

int wm_inside_open(const char *path, int flags, ...);
int wm_inside_open(const char *path, int flags, ...)
{
	(void)path; /* it reads one file */
	return (int)told(inside.open(flags));
}

int wm_inside_close(int fd);
int wm_inside_close(int fd)
{
	wm_sys_close(fd);
	return 0;
}

int wm_inside_fstat(int fd, struct stat *st);
int wm_inside_fstat(int fd, struct stat *st)
{
	int r = (int)told(WM_SYS2(SYS_fstat, fd, st));

	if (r == 0 && (uint64_t)st->st_size > inside.file_size)
		st->st_size = (long)inside.file_size;
	return r;
}

long wm_inside_pread(int fd, void *buf, size_t n, long offset);
long wm_inside_pread(int fd, void *buf, size_t n, long offset)
{
	/* each block is read here: opening a long trace ends in time, too */
	if (wm_replay_is_late())
		return told(-ETIMEDOUT);
	return told(WM_SYS4(SYS_pread64, fd, buf, n, offset));
}

/* ---- the rest ---- */

/* No processor has anything special. */
uint32_t wm_inside_cpu_model[4];

/* Messages are looked at by nobody, but an empty one says that all is well. */
int wm_inside_vsnprintf(char *buf, size_t room, const char *fmt, va_list ap);
int wm_inside_vsnprintf(char *buf, size_t room, const char *fmt, va_list ap)
{
	(void)fmt;
	(void)ap;
	if (room > 1)
		memcpy(buf, "?", 2);
	return 1;
}

char *wm_inside_strerror(int err);
char *wm_inside_strerror(int err)
{
	static char text[] = "error";

	(void)err;
	return text;
}

static void swap(char *a, char *b, size_t size)
{
	while (size--) {
		char c = *a;

		*a++ = *b;
		*b++ = c;
	}
}

static void sift(char *base, size_t at, size_t n, size_t size,
		 int (*cmp)(const void *, const void *))
{
	for (size_t kid; (kid = 2 * at + 1) < n; at = kid) {
		if (kid + 1 < n &&
		    cmp(base + kid * size, base + (kid + 1) * size) < 0)
			kid++;
		if (cmp(base + at * size, base + kid * size) >= 0)
			return;
		swap(base + at * size, base + kid * size, size);
	}
}

/* Heapsort: no memory.  That of libc may ask the program's heap for some. */
void wm_inside_qsort(void *array, size_t n, size_t size,
		     int (*cmp)(const void *, const void *));
void wm_inside_qsort(void *array, size_t n, size_t size,
		     int (*cmp)(const void *, const void *))
{
	size_t i;

	for (i = n / 2; i-- > 0;)
		sift(array, i, n, size, cmp);
	for (i = n; i-- > 1;) {
		swap(array, (char *)array + i * size, size);
		sift(array, 0, i, size, cmp);
	}
}

/* ---- */

enum wm_replay_result wm_inside_replay(int (*open)(int flags), uint64_t size,
				       size_t bytes, uint64_t deadline,
				       struct wm_replayed *out)
{
	struct wm_fpenv fp;
	enum wm_replay_result r;

	memset(&inside, 0, sizeof(inside));
	inside.open = open;
	inside.file_size = size;
	inside.limit = bytes;
	inside.deadline = deadline;
	wm_fpenv_take(&fp);
	on = 1;
	r = wm_replay_trace("trace", out);
	on = 0;
	wm_fpenv_give_back(&fp);
	while (inside.large)
		large_free(inside.large);
	while (inside.chunks) {
		struct chunk *c = inside.chunks;

		inside.chunks = c->next;
		unmap(c, CHUNK_BYTES);
	}
	return r;
}

size_t wm_inside_left(void)
{
	return inside.mapped;
}
