/* SPDX-License-Identifier: Apache-2.0 */
/* Says whether memory lies in the file of followed pages, and how many threads
 * there are.  It touches a page of 256 MiB of .bss. */
#include <stdio.h>
#include <string.h>

static char large[256u << 20];

int main(void)
{
	volatile char *in_the_middle = large + sizeof(large) / 2;
	char line[4096];
	FILE *f = fopen("/proc/self/maps", "r");
	int mapped = (*in_the_middle = 0);

	while (f && fgets(line, sizeof(line), f))
		mapped |= strstr(line, "wmtools pages") != NULL;
	if (mapped)
		puts("mapped");
	f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "Threads:", 8))
			fputs(line, stdout);
	return 0;
}
