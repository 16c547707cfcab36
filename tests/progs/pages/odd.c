/* SPDX-License-Identifier: Apache-2.0 */
/*
 * odd NAME: does one thing that hardly any program does (others are in
 * odd_limits.c), and prints what the kernel and memory answered.  With page
 * accesses followed (WM_PAGES) it must be the same as without.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>

#include "odd.h"
#include "say.h"

#define KEEP 4 /* MREMAP_DONTUNMAP */

static int pipe_of_all[2];

char *map(size_t bytes, int prot)
{
	char *p = mmap(NULL, bytes, prot, anywhere, -1, 0);

	if (p == MAP_FAILED) {
		printf("no memory: %d\n", errno);
		exit(1);
	}
	return p;
}

/* Memory that a child got and that it has changed. */
static int data = 1;
static char *heap;

/* 1: it can be written; 0: read only; -1: neither.  By asking the kernel. */
static int access_of(char *p)
{
	char c;

	if (write(pipe_of_all[1], p, 1) != 1)
		return -1;
	return read(pipe_of_all[0], p, 1) == 1	? 1 :
	       read(pipe_of_all[0], &c, 1) == 1 ? 0 :
						  -2;
}

static long same(void *p, void *old)
{
	return p == MAP_FAILED ? -1 : p == old;
}

/* ---- processes ---- */

static void end_of(const char *what, int pid)
{
	int status = -1;

	if (pid < 0 || waitpid(pid, &status, __WALL) != pid)
		printf("%s: none (errno %d)\n", what, errno);
	else if (WIFSIGNALED(status))
		printf("%s: signal %d\n", what, WTERMSIG(status));
	else
		printf("%s: status %d\n", what, WEXITSTATUS(status));
	fflush(stdout);
}

static int child(void)
{
	int ok = data == 1 && heap[0] == 5 && heap[100000] == 5;

	data = 2;
	memset(heap, 6, 200000);
	return ok ? 42 : 1;
}

/* A child sees the memory of the fork, and no other process sees its writes. */
void fork_once(const char *what)
{
	int pid = fork();

	if (pid == 0)
		_exit(child());
	end_of(what, pid);
	say("data", data);
	say("heap", heap[0] + heap[100000]);
}

void start_thread(void)
{
	pthread_t t;

	pthread_create(&t, NULL, stay, NULL);
}

/* ---- mremap ---- */

static void remap(void)
{
	char *p = map(8 * PAGE, PROT_READ), *q, *to;

	p = mremap(p, 8 * PAGE, 4096 * PAGE, MREMAP_MAYMOVE);
	say("grown, read-only", access_of(p + 4000 * PAGE));
	p = map(8 * PAGE, PROT_NONE);
	to = map(8 * PAGE, PROT_NONE);
	q = mremap(p, 8 * PAGE, 8 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to);
	say("without access, to a place", same(q, to));
	say("has none there", access_of(to));
	p = map(8 * PAGE, PROT_READ | PROT_WRITE);
	memset(p, 5, 8 * PAGE);
	mprotect(p, 8 * PAGE, PROT_READ);
	q = mremap(p, 8 * PAGE, 8 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to);
	say("read-only, to a place", same(q, to));
	say("as it was", q[5] == 5);
	say("is read-only there", access_of(to));
	p = map(8 * PAGE, PROT_READ | PROT_WRITE);
	memset(p, 5, 8 * PAGE);
	say("size 0", same(mremap(p, 0, PAGE, MREMAP_MAYMOVE), p));
	say("to size 0", same(mremap(p, PAGE, 0, MREMAP_MAYMOVE), p));
	say("at an odd place", same(mremap(p + 1, PAGE, PAGE, 1), p));
	say("to an odd place",
	    same(mremap(p, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to + 1),
		 p));
	say("fixed alone", same(mremap(p, PAGE, PAGE, MREMAP_FIXED, to), p));
	say("kept, larger",
	    same(mremap(p, PAGE, 2 * PAGE, MREMAP_MAYMOVE | KEEP, NULL), p));
	say("unknown", same(mremap(p, PAGE, 2 * PAGE, 64), p));
	say("onto itself", same(mremap(p, 4 * PAGE, 4 * PAGE,
				       MREMAP_MAYMOVE | MREMAP_FIXED, p + PAGE),
				p));
	q = mremap(p, 8 * PAGE, 8 * PAGE, MREMAP_MAYMOVE | KEEP, NULL);
	say("kept", q[5] == 5 && q[8 * PAGE - 1] == 5 && p[5] == 0);
	munmap(p + PAGE, PAGE);
	say("across a hole",
	    same(mremap(p, 3 * PAGE, 4 * PAGE, MREMAP_MAYMOVE), p));
	mprotect(q + PAGE, PAGE, PROT_NONE);
	say("across two",
	    same(mremap(q, 8 * PAGE, 16 * PAGE, MREMAP_MAYMOVE), q));
	mprotect(q + PAGE, PAGE, PROT_READ | PROT_WRITE);
	say("as it was", q[5] == 5 && q[PAGE] == 5);
}

/* ---- madvise ---- */

static void advise(void)
{
	char *p = map(16 * PAGE, PROT_READ | PROT_WRITE);
	static const int all[] = { 0,  1,  2,  3,  4,  8,  9,  12, 13, 14,
				   15, 16, 17, 19, 20, 21, 22, 23, 24, 99 };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		memset(p, 5, 16 * PAGE);
		printf("%d ", all[i]);
		say("advice", madvise(p, 4 * PAGE, all[i]));
		say("after", all[i] == 8 ? 5 : p[0] + 10 * p[4 * PAGE]);
	}
	say("odd", madvise(p + 1, PAGE, MADV_DONTNEED));
	say("none", madvise(p, 0, MADV_DONTNEED));
	munmap(p + PAGE, PAGE);
	memset(p + 2 * PAGE, 5, PAGE);
	say("hole", madvise(p, 4 * PAGE, MADV_DONTNEED));
	say("behind it", p[2 * PAGE]);
	memset(p + 4 * PAGE, 5, PAGE);
	if (mlock(p + 4 * PAGE, PAGE) == 0) {
		say("locked", madvise(p + 4 * PAGE, PAGE, MADV_DONTNEED));
		say("as it was", p[4 * PAGE]);
		say("though locked", madvise(p + 4 * PAGE, PAGE, 24));
		say("empty", p[4 * PAGE]);
	}
	memset(p + 8 * PAGE, 5, 2 * PAGE);
	if (madvise(p + 8 * PAGE, PAGE, 102 /* MADV_GUARD_INSTALL */) == 0) {
		say("guarded", access_of(p + 8 * PAGE));
		madvise(p + 8 * PAGE, PAGE, 103);
		say("no more", p[8 * PAGE] + 10 * p[9 * PAGE]);
	}
}

/* ---- stacks ---- */

static ucontext_t here, there;

static void in_coroutine(void)
{
	fork_once("fork in a coroutine");
}

static void coroutine(void)
{
	char *stack = malloc(64 * PAGE);

	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = 64 * PAGE;
	there.uc_link = &here;
	makecontext(&there, in_coroutine, 0);
	swapcontext(&here, &there);
}

static volatile int handled;

static void fork_in_handler(int s)
{
	int pid = fork();

	(void)s;
	if (pid == 0)
		_exit(child());
	end_of("fork in a handler", pid);
	handled = 1;
}

static void handler(void)
{
	stack_t alt = { .ss_sp = malloc(128 * PAGE), .ss_size = 128 * PAGE };
	struct sigaction a = { .sa_handler = fork_in_handler,
			       .sa_flags = SA_ONSTACK };

	sigaltstack(&alt, NULL);
	sigaction(SIGUSR1, &a, NULL);
	raise(SIGUSR1);
	say("data", data);
}

static int in_clone(void *unused)
{
	(void)unused;
	return child();
}

static void clones(void)
{
	char *stack = malloc(64 * PAGE);

	end_of("clone", clone(in_clone, stack + 64 * PAGE, SIGCHLD, NULL));
	say("data", data);
	fork_once("fork");
}

static void ghosts(void)
{
	int pid = fork(), n = 0;

	if (pid == 0) {
		if (fork() == 0) {
			usleep(10000);
			_exit(write(pipe_of_all[1], "x", 1) != 1 || child());
		}
		_exit(42);
	}
	end_of("double fork", pid);
	while (n < 500 && read(pipe_of_all[0], &pid, 1) != 1) {
		usleep(10000);
		n++;
	}
	say("the second", n < 500);
	say("data", data);
	signal(SIGCHLD, SIG_IGN);
	pid = fork();
	if (pid == 0)
		_exit(child());
	say("nobody waits", pid > 0);
	say("gone", waitpid(pid, NULL, 0));
	signal(SIGCHLD, SIG_DFL);
	pid = fork();
	if (pid == 0) {
		int r = daemon(1, 1);

		usleep(200000); /* its parent comes first */
		say("daemon", r);
		say("data", data);
		exit(0);
	}
	end_of("daemon", pid);
	usleep(600000);
}

/* ---- ends ---- */

static void *end_last(void *unused)
{
	(void)unused;
	usleep(50000);
	heap[0] = 9;
	return NULL;
}

static void end_main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, end_last, NULL);
	pthread_exit(NULL);
}

static void end_raw(void)
{
	syscall(SYS_exit, 3);
}

static void end_rawest(void)
{
#ifdef __x86_64__
	__asm__ volatile("syscall" ::"a"(SYS_exit), "D"(3) : "rcx", "r11");
#else
	syscall(SYS_exit, 3);
#endif
}

/* ---- code ---- */

static void code(void)
{
#ifdef __x86_64__
	static const unsigned char answer[] = { 0xb8, 42, 0, 0, 0, 0xc3 };
	unsigned char *p = (void *)map(PAGE, PROT_READ | PROT_WRITE);

	memcpy(p, answer, sizeof(answer));
	say("protected", mprotect(p, PAGE, PROT_READ | PROT_EXEC));
	usleep(50000);
	say("runs", ((int (*)(void))(uintptr_t)p)());
	p = (void *)map(PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
	memcpy(p, answer, sizeof(answer));
	say("runs", ((int (*)(void))(uintptr_t)p)());
	fork_once("fork");
	say("runs", ((int (*)(void))(uintptr_t)p)());
#endif
}

/* ---- storms ---- */

static void nothing(int s)
{
	(void)s;
	errno = 77;
}

static void tick(long us)
{
	struct itimerval t = { { 0, us }, { 0, us } };

	setitimer(ITIMER_REAL, &t, NULL);
}

static void storm(void)
{
	char *argv[] = { "true", NULL };
	volatile int bad = 0;
	int status, pid;

	signal(SIGALRM, nothing);
	tick(500);
	for (int i = 0; i < 60; i++) {
		if (i % 3 == 0)
			pid = fork();
		else if (i % 3 == 1)
			pid = vfork();
		else if (posix_spawn(&pid, "/bin/true", NULL, NULL, argv, NULL))
			pid = -1;
		if (pid == 0 && i % 3 == 0)
			_exit(child() != 42);
		if (pid == 0)
			_exit(0);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		bad += status != 0;
	}
	tick(0);
	say("bad", bad);
	say("data", data);
	say("system", system("exit 5") >> 8);
}

static sigjmp_buf back;
static volatile int inside;

static void jump(int s)
{
	(void)s;
	if (inside)
		siglongjmp(back, 1);
}

static void map_in_handler(int s)
{
	int e = errno;
	char *p = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, anywhere, -1, 0);

	(void)s;
	p[PAGE] = 1;
	mprotect(p, PAGE, PROT_READ);
	munmap(p, 3 * PAGE);
	errno = e;
}

static void jumps(void)
{
	volatile int ticks = 0;

	signal(SIGALRM, map_in_handler);
	tick(200);
	for (int i = 0; i < 20000; i++)
		free(memset(malloc(200000), 1, 100));
	tick(0);
	signal(SIGALRM, jump);
	tick(300);
	for (int i = 0; i < 200; i++) {
		if (sigsetjmp(back, 1) == 0) {
			inside = 1;
			for (;;) {
				char *p = map(40 * PAGE,
					      PROT_READ | PROT_WRITE);

				p[5] = 1;
				madvise(p, PAGE, MADV_DONTNEED);
				munmap(p, 40 * PAGE);
			}
		}
		inside = 0;
		ticks++;
	}
	tick(0);
	say("jumps", ticks);
	fork_once("fork");
}

static void *cancelled(void *unused)
{
	(void)unused;
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (;;) {
		char *p = mmap(NULL, 40 * PAGE, PROT_READ | PROT_WRITE,
			       anywhere, -1, 0);

		p[5] = 1;
		munmap(p, 40 * PAGE);
	}
	return NULL;
}

static void cancels(void)
{
	void *r;
	int n = 0;

	for (int i = 0; i < 300; i++) {
		pthread_t t;

		pthread_create(&t, NULL, cancelled, NULL);
		usleep((unsigned)i * 3);
		pthread_cancel(t);
		pthread_join(t, &r);
		n += r == PTHREAD_CANCELED;
	}
	say("cancelled", n);
	fork_once("fork");
}

/* ---- more ---- */

static void again(void)
{
	int n = getenv("AGAIN") ? atoi(getenv("AGAIN")) : 0;
	char line[20], *argv[] = { "odd", "again", NULL };

	if (n == 20) {
		fork_once("fork");
		return;
	}
	snprintf(line, sizeof(line), "%d", n + 1);
	setenv("AGAIN", line, 1);
	execv("/proc/self/exe", argv);
	say("exec", -1);
}

static void grow(void)
{
	size_t n = 1 << 20;
	char *p = malloc(n), *in_the_way[64];
	int bad = 0;

	memset(p, 7, n);
	for (int i = 0; i < 60; i++) {
		p = realloc(p, n + (1 << 20));
		memset(p + n, 7, 1 << 20);
		n += 1 << 20;
		in_the_way[i] = map(16 * PAGE, PROT_READ | PROT_WRITE);
		in_the_way[i][0] = 1;
	}
	for (size_t i = 0; i < n; i += 511)
		bad += p[i] != 7;
	say("bad", bad);
}

/* A child reads a pipe whose other end we close. */
static void eof(void)
{
	int ends[2], pid, status = -1;
	char c;

	if (pipe(ends))
		return;
	pid = fork();
	if (pid == 0) {
		close(ends[1]);
		_exit(read(ends[0], &c, 1) == 0 ? 0 : 1);
	}
	close(ends[0]);
	close(ends[1]);
	waitpid(pid, &status, 0);
	say("end", status);
}

static const struct {
	const char *name;
	void (*f)(void);
} all[] = {
	{ "remap", remap },
	{ "advise", advise },
	{ "no_files", no_files },
	{ "no_data", no_data },
	{ "less_data", less_data },
	{ "small_files", small_files },
	{ "no_root", no_root },
	{ "no_addresses", no_addresses },
	{ "many_maps", many_maps },
	{ "large", large },
	{ "locked", locked },
	{ "coroutine", coroutine },
	{ "handler", handler },
	{ "clones", clones },
	{ "ghosts", ghosts },
	{ "end_main", end_main },
	{ "end_raw", end_raw },
	{ "end_rawest", end_rawest },
	{ "code", code },
	{ "storm", storm },
	{ "jumps", jumps },
	{ "cancels", cancels },
	{ "again", again },
	{ "grow", grow },
	{ "eof", eof },
};

int main(int argc, char **argv)
{
	heap = malloc(200000);
	memset(heap, 5, 200000);
	if (pipe2(pipe_of_all, O_NONBLOCK))
		return 2;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (argc < 2)
			puts(all[i].name);
		else if (!strcmp(argv[1], all[i].name))
			all[i].f();
	}
	return 0;
}
