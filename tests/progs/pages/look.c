/* SPDX-License-Identifier: Apache-2.0 */
/* Says whether memory lies in the file of followed pages, and how many threads
 * there are. */
#include <stdio.h>
#include <string.h>

int main(void)
{
	char line[4096];
	FILE *f = fopen("/proc/self/maps", "r");
	int mapped = 0;

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
