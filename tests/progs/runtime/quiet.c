/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 1 to 100000 bytes, freed but for the last.  Prints errno, 4242
 * before them, and the number that the next descriptor gets.
 * Used by t3000. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	int fd;
	for (errno = 4242; errno == 4242;) {
		static int i;
		void *volatile p = malloc((size_t)++i);
		if (i == 100000)
			break;
		free(p);
	}
	int e = errno;
	fd = open("/dev/null", O_RDONLY);
	printf("errno %d fd %d\n", e, fd);
	return 0;
}
