/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 10 bytes, freed; meanwhile descriptor 2 becomes "data", a file of
 * the program, which then holds "mine".
 * Used by t3010. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
	void *volatile p = malloc(10);
	int fd;

	close(2);
	fd = open("data", O_WRONLY | O_CREAT | O_TRUNC, 0644);
	free(p);
	return fd != 2 || write(fd, "mine\n", 5) != 5;
}
