/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pages/service.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <time.h>

#include "runtime/arch/machine.h"
#include WM_MACHINE_HEADER(stacks.h)
#include WM_MACHINE_HEADER(thread_register.h)

#include "runtime/base/clock.h"
#include "runtime/base/file_text.h"
#include "runtime/base/lock.h"
#include "runtime/base/on_stack.h"
#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"

#define STACK_BYTES (64u << 10)
/* how often the thread checks whether there are other threads */
#define LOOK_NS 200000000u

static struct wm_lock callers; /* one call at a time */
static long (*call)(void *);
static void *call_arg;
static long call_result;
/* Futexes: the numbers of calls that were made, and that were answered. */
static _Atomic uint32_t asked, answered;
static _Atomic int held;
static uint64_t (*pause_function)(void);
static char *stack;
static int tid;
/* The thread ends after its answer; it has ended.  Both under the lock. */
static bool stops, gone;

/* open only in the service thread */
static int status = -1;

static int open_status(void)
{
	return wm_sys_open("/proc/self/status", O_RDONLY | O_CLOEXEC, 0);
}

static const char *behind(const char *text, const char *key)
{
	const char *s = strstr(text, key);

	return s ? s + strlen(key) : "";
}

/* Returns the number of threads, or 0.  A dead first thread remains until the
 * others have ended. */
static unsigned count_threads(bool *first_is_dead)
{
	static char text[4096];
	int fd = status < 0 ? open_status() : status;
	long n = fd < 0 ? 0 :
			  WM_SYS4(SYS_pread64, fd, text, sizeof(text) - 1, 0);
	uint64_t threads;

	if (fd >= 0 && fd != status)
		wm_sys_close(fd);
	text[n > 0 ? n : 0] = 0;
	*first_is_dead = *behind(text, "\nState:\t") == 'Z';
	return wm_str_uint(behind(text, "\nThreads:\t"), &threads) ?
		       (unsigned)threads :
		       0;
}

unsigned wm_service_threads(void)
{
	bool unused;

	return count_threads(&unused);
}

/* The exit status of the first thread is the last number in the file. */
static int code_of_first(void)
{
	static char text[1024];
	const char *s;
	uint64_t code = 0;

	wm_file_text("/proc/self/stat", text, sizeof(text));
	s = strrchr(text, ' ');
	if (s && !wm_str_uint(s + 1, &code))
		code = 0;
	return (int)(code >> 8);
}

/* Ends the process if no thread of the program is left: libc does so only after
 * the last pthread_exit, not if threads end by the system call. */
static void end_if_alone(void)
{
	static uint64_t looked;
	uint64_t now = wm_clock_ns(CLOCK_MONOTONIC);
	bool first_is_dead;

	if (now - looked < LOOK_NS)
		return;
	looked = now;
	if (count_threads(&first_is_dead) == 2 && first_is_dead)
		WM_SYS1(SYS_exit, code_of_first());
}

static void wait_for_call(uint64_t ns)
{
	struct timespec t = { (time_t)(ns / 1000000000u),
			      (long)(ns % 1000000000u) };

	WM_SYS4(SYS_futex, &asked, 128 /* FUTEX_WAIT_PRIVATE */,
		atomic_load(&answered), &t);
}

static void end_by_itself(void)
{
	if (!wm_lock_try(&callers))
		return;
	status = -1;
	gone = true;
	wm_lock_drop(&callers);
	WM_SYS1(SYS_exit, 0);
}

void wm_service_main(void) wm_hidden __attribute__((noreturn, used));
void wm_service_main(void)
{
	/* Closes all: the program's descriptors are copies here, and its pipes
	 * would not end while the copies are open. */
	WM_SYS3(436 /* SYS_close_range */, 0, ~0u, 0);
	status = open_status();
	WM_SYS2(SYS_prctl, 15 /* PR_SET_NAME */, "wm-pages");
	for (;;) {
		uint32_t n = atomic_load(&asked);
		uint64_t ns;

		if (n != atomic_load(&answered)) {
			call_result = call(call_arg);
			atomic_store(&answered, n);
			WM_SYS3(SYS_futex, &answered,
				129 /* FUTEX_WAKE_PRIVATE */, 1);
			if (stops)
				WM_SYS1(SYS_exit, 0);
			continue;
		}
		end_if_alone();
		ns = atomic_load(&held) ? LOOK_NS : pause_function();
		if (ns == WM_SERVICE_ENDS) {
			end_by_itself();
			ns = LOOK_NS; /* another thread was about to call */
		}
		wait_for_call(ns < LOOK_NS ? ns : LOOK_NS);
	}
}

/* Calls clone(2).  The new thread continues in wm_service_main() on its own
 * stack. */
long wm_service_clone(unsigned long flags, void *stack, void *tls) wm_hidden;
WM_THREAD_CLONE(wm_service_clone, wm_service_main);

#ifdef WM_DYNAMIC
#define STORAGE_OF_LIBRARIES (64u << 10)
#else
#define STORAGE_OF_LIBRARIES 0
#endif

static size_t storage_bytes(void)
{
	const ElfW(Phdr) *p = (const void *)getauxval(AT_PHDR);
	size_t n = getauxval(AT_PHNUM), bytes = STORAGE_OF_LIBRARIES;

	for (; p && n--; p++)
		if (p->p_type == PT_TLS)
			bytes += p->p_memsz + p->p_align;
	return (bytes + WM_PAGE - 1) & ~(WM_PAGE - 1);
}

void wm_service_storage(uint64_t *start, uint64_t *end)
{
	uint64_t here = (uintptr_t)wm_thread_register();

	/* The thread's variables are on one side of the register, libc's
	 * data on the other, as the processor's ABI says; the range includes
	 * both. */
	*start = here - storage_bytes() - WM_THREAD_BYTES;
	*end = here + storage_bytes() + WM_THREAD_BYTES;
}

/* Makes zero storage for one thread.  Returns the value for its register. */
static void *new_storage(void)
{
	size_t n = storage_bytes();
	char *p = wm_pool_map(n + WM_THREAD_BYTES);

	if (!p)
		return NULL;
	return wm_thread_storage(p, n);
}

bool wm_service_start(uint64_t (*pause)(void))
{
	/* Without CLONE_FS the thread's root directory stays. */
	const unsigned long flags = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD |
				    CLONE_SYSVSEM | CLONE_SETTLS;
	void *storage = new_storage();
	uint64_t signals;
	long r;

	stack = wm_stack_new(STACK_BYTES);
	if (!stack || !storage)
		return false;
	pause_function = pause;
	/* The new thread starts with this thread's mask. */
	wm_sys_block_signals(&signals);
	r = wm_service_clone(flags, stack, storage);
	wm_sys_restore_signals(&signals);
	tid = (int)r;
	return r > 0;
}

/* The caller holds the lock. */
long wm_service_call_held(long (*f)(void *), void *arg)
{
	uint32_t n = atomic_load(&asked) + 1, seen;

	if (gone)
		/* Nothing is followed any more, and no descriptor is used. */
		return f(arg);
	call = f;
	call_arg = arg;
	atomic_store(&asked, n);
	WM_SYS3(SYS_futex, &asked, 129 /* FUTEX_WAKE_PRIVATE */, 1);
	while ((seen = atomic_load(&answered)) != n)
		WM_SYS4(SYS_futex, &answered, 128 /* FUTEX_WAIT_PRIVATE */,
			seen, 0);
	return call_result;
}

long wm_service_call(long (*f)(void *), void *arg)
{
	long r;

	wm_lock_take(&callers);
	r = wm_service_call_held(f, arg);
	wm_lock_drop(&callers);
	return r;
}

long wm_service_call_and_hold(long (*f)(void *), void *arg)
{
	wm_lock_take(&callers);
	atomic_store(&held, 1);
	return wm_service_call_held(f, arg);
}

void wm_service_resume(void)
{
	atomic_store(&held, 0);
	/* The thread may sleep for a second. */
	WM_SYS3(SYS_futex, &asked, 129 /* FUTEX_WAKE_PRIVATE */, 1);
	wm_lock_drop(&callers);
}

void wm_service_forget(void)
{
	uint64_t signals = callers.signals;
	bool masks = callers.masks;

	atomic_store(&callers.state, 0);
	atomic_store(&held, 0);
	if (masks)
		wm_sys_restore_signals(&signals);
}

/* Otherwise the guard page is a mapping between two others. */
void wm_service_join_stack(void)
{
	WM_SYS3(SYS_mprotect, stack - STACK_BYTES - WM_PAGE, WM_PAGE,
		PROT_READ | PROT_WRITE);
}

static long stop(void *unused)
{
	(void)unused;
	/* Threads that count threads from now on have other descriptors. */
	status = -1;
	stops = true;
	return 0;
}

/* Waits until no count of threads, the kernel's included, contains the
 * thread. */
static void wait_until_gone(void)
{
	const struct timespec t = { 0, 100000 };

	for (int i = 0; i < 1000; i++) {
		if (WM_SYS3(SYS_tgkill, wm_sys_getpid(), tid, 0))
			return;
		WM_SYS2(SYS_nanosleep, &t, NULL);
	}
}

void wm_service_end(long (*f)(void *), void *arg)
{
	wm_lock_take(&callers);
	if (!gone && wm_service_call_held(f, arg) == 0) {
		wm_service_call_held(stop, NULL);
		gone = true;
		wait_until_gone();
	}
	wm_lock_drop(&callers);
}
