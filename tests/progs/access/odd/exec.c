/* SPDX-License-Identifier: Apache-2.0 */
/* Runs itself anew, with children by posix_spawn and vfork.  Used by t3422. */
#include <unistd.h>
#include <stdio.h>
#include <stdlib.h>
#include <spawn.h>
#include <sys/wait.h>
extern char **environ;
static int x[10];
int main(int c, char **v)
{
	x[c] = 1;
	if (c < 4) {
		char *a[] = { v[0], "1", c > 1 ? "2" : 0, c > 2 ? "3" : 0, 0 };
		pid_t p;
		int st;
		posix_spawn(&p, "/bin/true", 0, 0, (char *[]){ "true", 0 },
			    environ);
		waitpid(p, &st, 0);
		if (vfork() == 0) {
			x[2] = 3;
			_exit(0);
		}
		execv("/proc/self/exe", a);
	}
	printf("%d\n", c);
	return 0;
}
