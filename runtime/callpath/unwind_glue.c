/* SPDX-License-Identifier: Apache-2.0 */
/* The bundled libunwind and liblzma call these functions in place of libc's
 * (redirect.syms).  They use no heap of the application, no descriptors, no
 * threads library and no loader lock. */
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/lock.h"
#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/callpath/modules.h"

#define GLUE(type, name, ...)                                                  \
	wm_hidden type wm_glue_##name(__VA_ARGS__);                            \
	type wm_glue_##name(__VA_ARGS__)

/* libunwind calls malloc only to read debug files, and there are no files;
 * liblzma never calls it, because its encoder is given memory. */
#define RETURNS(value, name)                                                   \
	GLUE(long, name, void)                                                 \
	{                                                                      \
		return value;                                                  \
	}
RETURNS(0, malloc)
RETURNS(0, calloc)
RETURNS(0, free)
RETURNS(0, close)
RETURNS(-1, open)
RETURNS(-1, stat)
RETURNS(-1, fstat)

GLUE(void *, mmap, void *addr, size_t size, int prot, int flags, int fd,
     long offset)
{
	void *p;

	(void)addr;
	(void)prot;
	(void)flags;
	(void)offset;
	p = fd == -1 ? wm_pool_map(size) : NULL;
	return p ? p : MAP_FAILED;
}

GLUE(int, munmap, void *p, size_t size)
{
	wm_pool_unmap(p, size);
	return 0;
}

/* The kernel copies the mask before it checks the first argument, which is
 * invalid: it returns EFAULT if the copy fails, and EINVAL if it succeeds. */
static bool is_readable(const void *p)
{
	uintptr_t at = (uintptr_t)p & ~(uintptr_t)7;

	return WM_SYS4(SYS_rt_sigprocmask, ~0L, at, 0, 8) != -EFAULT;
}

GLUE(int, mincore, void *p, size_t size, unsigned char *vec)
{
	(void)size;
	*vec = 1;
	return is_readable(p) ? 0 : -1;
}

GLUE(int, msync, void *p, size_t size, int flags)
{
	(void)size;
	(void)flags;
	return is_readable(p) ? 0 : -1;
}

/* libunwind tests whether memory is readable by writing a byte of it into a
 * pipe, in loops that end according to errno. */
GLUE(int, pipe2, int fd[2], int flags)
{
	(void)flags;
	fd[0] = fd[1] = -1;
	return 0;
}

GLUE(long, syscall, long number, ...)
{
	va_list ap;
	const void *p;

	errno = EFAULT;
	if (number != SYS_write)
		return -1;
	va_start(ap, number);
	(void)va_arg(ap, long);
	p = va_arg(ap, const void *);
	va_end(ap);
	if (!is_readable(p))
		return -1;
	errno = 0;
	return 1;
}

GLUE(long, read, int fd, void *buf, size_t n)
{
	(void)fd;
	(void)buf;
	(void)n;
	errno = EAGAIN; /* the pipe is empty */
	return -1;
}

GLUE(int, getpid, void)
{
	return wm_sys_getpid();
}

GLUE(int, sigfillset, sigset_t *set)
{
	memset(set, 0xff, sizeof(*set));
	return 0;
}

GLUE(int, sigprocmask, int how, const sigset_t *set, sigset_t *old)
{
	return WM_SYS4(SYS_rt_sigprocmask, how, set, old, 8) ? -1 : 0;
}

/* Called only if libunwind finds a contradiction; ends only the thread. */
GLUE(void, abort, void)
{
	for (;;)
		WM_SYS1(SYS_exit, 127);
}

GLUE(int, mutex_init, void *m, const void *attr)
{
	(void)attr;
	memset(m, 0, sizeof(int));
	return 0;
}

/* The caller has blocked all signals.  A new pthread_mutex_t is all zeros. */
GLUE(int, mutex_lock, void *m)
{
	_Atomic int *state = m;
	int expected = 0;

	if (!atomic_compare_exchange_strong_explicit(state, &expected,
						     wm_lock_forks << 2 | 1,
						     memory_order_acquire,
						     memory_order_relaxed))
		wm_lock_wait(state);
	return 0;
}

GLUE(int, mutex_unlock, void *m)
{
	wm_lock_wake(m);
	return 0;
}

GLUE(int, once, void *once, void (*f)(void))
{
	static struct wm_lock lock;
	_Atomic int *done = once;

	if (wm_likely(atomic_load_explicit(done, memory_order_acquire)))
		return 0;
	wm_lock_take(&lock);
	if (!atomic_load_explicit(done, memory_order_relaxed)) {
		f();
		atomic_store_explicit(done, 1, memory_order_release);
	}
	wm_lock_drop(&lock);
	return 0;
}

GLUE(int, key_create, unsigned *key, void (*destroy)(void *))
{
	(void)destroy; /* the value stays with the slot */
	*key = 0;
	return 0;
}

GLUE(void *, getspecific, unsigned key)
{
	(void)key;
	return wm_self ? wm_self->unwind_cache : NULL;
}

GLUE(int, setspecific, unsigned key, const void *value)
{
	(void)key;
	if (wm_self)
		wm_self->unwind_cache = (void *)(uintptr_t)value;
	return 0;
}

/* @data is libunwind's struct dwarf_callback_data, which begins with the ip. */
GLUE(int, iterate_phdr, int (*visit)(struct dl_phdr_info *, size_t, void *),
     void *data)
{
	return wm_modules_at(*(const uintptr_t *)data, visit, data);
}
