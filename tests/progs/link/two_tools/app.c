/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 1,000,000 bytes and a strdup, freed, a map of 1 MiB, unmapped, a
 * fork; then the other tool prints how many calls it saw.
 * Used by t1215. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

void tool_report(void);

int main(void)
{
	char *volatile p = malloc(1000000), *q = strdup("text");
	char *m = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	if (child < 0 || waitpid(child, NULL, 0) != child)
		return 1;
	free(p);
	free(q);
	munmap(m, 1 << 20);
	tool_report();
	return 0;
}
