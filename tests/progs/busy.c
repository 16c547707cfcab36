/* SPDX-License-Identifier: Apache-2.0 */
/*
 * busy [MS [TIMES]]: for MS ms (100) malloc of 1 to 999 bytes and free, TIMES
 * times a ms (50); writes "done" and ends with status 7.
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long ms = argc > 1 ? atol(argv[1]) : 100;
	long times = argc > 2 ? atol(argv[2]) : 50;
	struct timespec nap = { 0, 1000000 };

	while (ms-- > 0) {
		for (long i = 1; i <= times; i++) {
			void *volatile p = malloc((size_t)(i % 999 + 1));

			free(p);
		}
		nanosleep(&nap, NULL);
	}
	return write(1, "done\n", 5) == 5 ? 7 : 1;
}
