/* SPDX-License-Identifier: Apache-2.0 */
/* The bundled libunwind and liblzma call these functions in place of libc's:
 * the build renames the references (runtime/callpath/redirect.syms).  They use
 * no heap of the application, no descriptors, no threads library and no loader
 * lock. */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "runtime/base/lock.h"
#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/callpath/modules.h"
#include "runtime/callpath/unwind_glue.h"

void *wm_glue_malloc(size_t size)
{
	/* libunwind calls malloc only to read debug files; liblzma never calls
	 * it, because its encoder is given memory */
	(void)size;
	return NULL;
}

void *wm_glue_calloc(size_t n, size_t size)
{
	(void)n;
	(void)size;
	return NULL;
}

void wm_glue_free(void *p)
{
	(void)p; /* NULL */
}

void *wm_glue_mmap(void *addr, size_t size, int prot, int flags, int fd,
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

int wm_glue_munmap(void *p, size_t size)
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

int wm_glue_mincore(void *p, size_t size, unsigned char *vec)
{
	(void)size;
	*vec = 1;
	return is_readable(p) ? 0 : -1;
}

int wm_glue_msync(void *p, size_t size, int flags)
{
	(void)size;
	(void)flags;
	return is_readable(p) ? 0 : -1;
}

/* To test whether memory is readable, libunwind writes a byte of it into a
 * pipe, in loops that end according to errno.  So the write and the read set
 * errno. */
int wm_glue_pipe2(int fd[2], int flags)
{
	(void)flags;
	fd[0] = fd[1] = -1;
	return 0;
}

long wm_glue_syscall(long number, ...)
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

long wm_glue_read(int fd, void *buf, size_t n)
{
	(void)fd;
	(void)buf;
	(void)n;
	errno = EAGAIN; /* the pipe is empty */
	return -1;
}

/* There are no files. */

int wm_glue_open(const char *path, int flags, ...)
{
	(void)path;
	(void)flags;
	return -1;
}

int wm_glue_close(int fd)
{
	(void)fd;
	return 0;
}

int wm_glue_stat(const char *path, struct stat *st)
{
	(void)path;
	(void)st;
	return -1;
}

int wm_glue_fstat(int fd, struct stat *st)
{
	(void)fd;
	(void)st;
	return -1;
}

int wm_glue_getpid(void)
{
	return wm_sys_getpid();
}

int wm_glue_sigfillset(sigset_t *set)
{
	memset(set, 0xff, sizeof(*set));
	return 0;
}

int wm_glue_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	return WM_SYS4(SYS_rt_sigprocmask, how, set, old, 8) ? -1 : 0;
}

/* Called only if libunwind finds a contradiction; ends only the thread. */
void wm_glue_abort(void)
{
	for (;;)
		WM_SYS1(SYS_exit, 127);
}

/* Locks, and one value per slot. */

int wm_glue_mutex_init(void *m, const void *attr)
{
	(void)attr;
	memset(m, 0, sizeof(int));
	return 0;
}

/* The caller has blocked all signals.  A new pthread_mutex_t is all zeros. */
int wm_glue_mutex_lock(void *m)
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

int wm_glue_mutex_unlock(void *m)
{
	wm_lock_wake(m);
	return 0;
}

int wm_glue_once(void *once, void (*f)(void))
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

int wm_glue_key_create(unsigned *key, void (*destroy)(void *))
{
	(void)destroy; /* the value stays with the slot */
	*key = 0;
	return 0;
}

void *wm_glue_getspecific(unsigned key)
{
	(void)key;
	return wm_self ? wm_self->unwind_cache : NULL;
}

int wm_glue_setspecific(unsigned key, const void *value)
{
	(void)key;
	if (wm_self)
		wm_self->unwind_cache = (void *)(uintptr_t)value;
	return 0;
}

/* @data is libunwind's struct dwarf_callback_data, which begins with the ip. */
int wm_glue_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *),
			 void *data)
{
	return wm_modules_at(*(const uintptr_t *)data, visit, data);
}
