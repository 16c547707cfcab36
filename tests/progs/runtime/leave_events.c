/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 100000 bytes and free, which a handler leaves by siglongjmp 20
 * times, as time limits do; then 1234 times calloc of 10 bytes and free.
 * Used by t3010. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
static sigjmp_buf top;
static volatile int left;
static void handler(int s)
{
	(void)s;
	siglongjmp(top, 1);
}
int main(void)
{
	struct itimerval it = { { 0, 0 }, { 0, 1000 } };

	signal(SIGALRM, handler);
	if (sigsetjmp(top, 1))
		left++;
	if (left < 20) {
		setitimer(ITIMER_REAL, &it, NULL);
		for (;;) {
			void *volatile p = malloc(100000);
			free(p);
		}
	}
	for (int i = 0; i < 1234; i++) {
		void *volatile p = calloc(1, 10);
		free(p);
	}
	return 0;
}
