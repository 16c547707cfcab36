/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 100 bytes in main, freed by a handler of exit; malloc of 9 bytes
 * in a destructor, kept.  With an argument it ends by exit(3).
 * Used by t3120. */
#include <stdlib.h>
static void *volatile p;
static void last(void) { free(p); }
__attribute__((destructor)) static void gone(void) { p = malloc(9); }
int main(int argc, char **argv)
{
	(void)argv;
	p = malloc(100);
	atexit(last);
	if (argc > 1)
		exit(3);
	return 0;
}
