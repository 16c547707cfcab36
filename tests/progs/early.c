/* Allocates 1111 bytes in a constructor before main and 2222 in an atexit
 * handler; frees the first in the handler, keeps the second.  Closes every
 * descriptor from 3 on and changes directory in main. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <unistd.h>

static void *volatile before, *volatile after;

__attribute__((constructor)) static void first(void)
{
	before = malloc(1111);
}

static void last(void)
{
	free(before);
	after = malloc(2222);
}

int main(void)
{
	atexit(last);
	for (int fd = 3; fd < 64; fd++)
		close(fd);
	return chdir("/") ? 1 : 0;
}
