/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stopped HOW BEFORE AFTER: BEFORE times malloc (1,000 bytes) and free, then
 * nothing can be written to the trace any more (chroot: to the directory
 * "empty"; limit: files are at most 1 byte long), then AFTER times malloc
 * (2,000 bytes) and free; ends with status 7.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void churn(long n, size_t size)
{
	while (n-- > 0) {
		void *volatile p = malloc(size);

		free(p);
	}
}

int main(int argc, char **argv)
{
	struct rlimit byte = { 1, 1 };

	if (argc < 4)
		return 2;
	churn(atol(argv[2]), 1000);
	if (strcmp(argv[1], "chroot") == 0 && (chroot("empty") || chdir("/")))
		return 3;
	if (strcmp(argv[1], "limit") == 0 && setrlimit(RLIMIT_FSIZE, &byte))
		return 4;
	churn(atol(argv[3]), 2000);
	return 7;
}
