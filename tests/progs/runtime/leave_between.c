/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of up to 999 bytes and free, with signals blocked; in between a
 * handler leaves by siglongjmp, 500 times.
 * Used by t3000. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
static sigjmp_buf top;
static volatile int n;
static void handler(int s)
{
	(void)s;
	if (++n % 3 == 0)
		siglongjmp(top, 1);
}
int main(void)
{
	struct itimerval it = { { 0, 300 }, { 0, 300 } };
	sigset_t s, o;
	signal(SIGALRM, handler);
	sigemptyset(&s);
	sigaddset(&s, SIGALRM);
	sigsetjmp(top, 1);
	setitimer(ITIMER_REAL, &it, NULL);
	for (size_t i = 0; n < 1500; i++) {
		sigprocmask(SIG_BLOCK, &s, &o);
		void *volatile p = malloc(i % 1000);
		free(p);
		sigprocmask(SIG_SETMASK, &o, NULL);
	}
	return 0;
}
