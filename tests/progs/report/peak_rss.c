/* SPDX-License-Identifier: Apache-2.0 */
/* peak_rss FILE COMMAND...: runs COMMAND; when it ends with 0, FILE holds the
 * KiB of memory that it had at most.  Allocates nothing itself.
 * Used by t5300, t5850. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	struct rusage u;
	FILE *f;
	int s;

	if (argc < 3)
		return 2;
	if (fork() == 0) {
		execvp(argv[2], argv + 2);
		_exit(1);
	}
	if (wait4(-1, &s, 0, &u) < 0 || s != 0)
		return 1;
	f = fopen(argv[1], "w");
	return !f || fprintf(f, "%ld\n", u.ru_maxrss) < 0 || fclose(f);
}
