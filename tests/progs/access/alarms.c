/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocates nothing.  Loads and stores while handlers interrupt them, return or
 * leave by longjmp; then in a forked child and a vfork child; last 7,777 stores
 * of two bytes, the only ones.  With an argument handlers have a stack of their
 * own, with "near" a little above the place that they interrupt.  Used by
 * t3420.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static sigjmp_buf out;
static volatile sig_atomic_t jumps, hits;
static int a[1000], wave[4096];
static volatile short last[7777];

static void handler(int sig)
{
	(void)sig;
	hits++;
	for (int i = 0; i < 50; i++)
		wave[(hits * 7 + i) % 4096]++;
	/* the mask is main's to set: on this stack the next signal would come
	 * before the jump, and the next; four of them are all that fits where
	 * the kernel saves registers of AVX-512 */
	if (jumps && hits % 3 == 0)
		siglongjmp(out, 1);
}

static long work(int laps)
{
	long sum = 0;

	for (int l = 0; l < laps; l++)
		for (int i = 0; i < 1000; i++) {
			a[i] += l;
			sum += a[(i * 37 + l) % 1000];
		}
	return sum;
}

static void ring(int microseconds)
{
	struct itimerval it = { { 0, microseconds }, { 0, microseconds } };

	setitimer(ITIMER_REAL, &it, NULL);
}

int main(int argc, char **argv)
{
	static char alt[16384];
	/* above all that work() has */
	char near[32768] = { 0 };
	stack_t stack = { .ss_sp = alt, .ss_size = sizeof(alt) };
	struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	int child, status = 1;
	long sum;

	sigaddset(&sa.sa_mask, SIGALRM);
	/* locked pages cannot be given back */
	if (argc > 1 && !strcmp(argv[1], "locked") &&
	    mlockall(MCL_CURRENT | MCL_FUTURE))
		return 9;
	if (argc > 1 && !strcmp(argv[1], "alternative"))
		sigaltstack(&stack, NULL);
	if (argc > 1 && !strcmp(argv[1], "near")) {
		stack.ss_sp = near;
		stack.ss_size = sizeof(near);
		sigaltstack(&stack, NULL);
	}
	sigaction(SIGALRM, &sa, NULL);
	ring(50);
	sum = work(1000);
	for (volatile int k = 0; k < 200; k++) {
		if (sigsetjmp(out, 0) == 0) {
			jumps = 1;
			sum += work(30);
		}
		jumps = 0;
		sigprocmask(SIG_UNBLOCK, &sa.sa_mask, NULL);
	}
	ring(0);
	child = fork();
	if (child == 0)
		_exit(work(100) == 1);
	waitpid(child, &status, 0);
	child = vfork();
	if (child == 0) {
		a[3]++;
		_exit(0);
	}
	waitpid(child, NULL, 0);
	errno = 77;
	for (int i = 0; i < 7777; i++)
		last[i] = (short)sum;
	printf("%d %d %d\n", status, errno, hits > 10);
	return 0;
}
