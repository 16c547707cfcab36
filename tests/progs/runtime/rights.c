/* SPDX-License-Identifier: Apache-2.0 */
/* Three times 50000 malloc of 0 to 99 bytes and free, the second time as
 * somebody else, with an argument the third time, too; then 10000 calloc and
 * free.
 * Used by t3060. */
#include <stdlib.h>
#include <unistd.h>
static void churn(void)
{
	for (size_t i = 0; i < 50000; i++) {
		void *volatile p = malloc(i % 100);
		free(p);
	}
}
int main(int argc, char **argv)
{
	(void)argv;
	churn();
	if (argc > 1 ? setuid(65534) : seteuid(65534))
		return 1;
	churn();
	if (argc < 2 && seteuid(0))
		return 2;
	churn();
	for (size_t i = 0; i < 10000; i++) {
		void *volatile p = calloc(1, i % 100);
		free(p);
	}
	return 0;
}
