/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limited grow STEP LEFT: allocates STEP bytes at a time and writes all of it,
 * until it is killed; says in the file LEFT how many bytes it has.
 *
 * limited fork BYTES: allocates and writes BYTES, then forks a child that
 * reads all of it, writes one page, and ends; then looks at its own.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int grow(size_t step, const char *left)
{
	int fd = open(left, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	size_t all = 0, said = 0;
	char line[32];

	for (;;) {
		char *p = malloc(step);

		if (!p)
			return 3;
		for (size_t i = 0; i < step; i += 4096) {
			p[i] = 1;
			if (all + i - said < 256 << 10)
				continue;
			said = all + i;
			snprintf(line, sizeof(line), "%16zu\n", said);
			if (pwrite(fd, line, strlen(line), 0) < 0)
				return 4;
		}
		all += step;
	}
}

static int sum(const char *p, size_t bytes)
{
	int n = 0;

	for (size_t i = 0; i < bytes; i += 4096)
		n += p[i];
	return n;
}

static int fork_it(size_t bytes)
{
	char *p = malloc(bytes);
	int status = -1, pid;

	memset(p, 1, bytes);
	pid = fork();
	if (pid == 0) {
		p[0] = 2;
		_exit(sum(p, bytes) != (int)(bytes / 4096) + 1);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 2;
	printf("child: %d, own: %d\n", status,
	       sum(p, bytes) == (int)(bytes / 4096));
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 3 && !strcmp(argv[1], "grow"))
		return grow(strtoul(argv[2], NULL, 0), argv[3]);
	if (argc > 2 && !strcmp(argv[1], "fork"))
		return fork_it(strtoul(argv[2], NULL, 0));
	return 99;
}
