/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocates 98 blocks of 1,000,000 bytes and touches 10 of them, a block each
 * 20 ms, with 100 small blocks made and freed in between; keeps all.  With an
 * argument SIGKILL ends it.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static char *volatile block[98];

int main(int argc, char **argv)
{
	(void)argv;
	/* what is touched is a page, not 2 MiB of them */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	for (int i = 0; i < 98; i++)
		block[i] = malloc(1000000);
	for (int i = 0; i < 10; i++) {
		memset(block[i], 1, 1000000);
		for (size_t k = 0; k < 100; k++) {
			void *volatile p = malloc(k);

			free(p);
		}
		usleep(20000);
	}
	return argc > 1 ? raise(SIGKILL) : 0;
}
