/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 1 MiB, in use when main returns, or when SIGKILL comes (with an
 * argument).
 * Used by t5851. */
#include <signal.h>
#include <stdlib.h>
static char *field;
int main(int argc, char **argv)
{
	(void)argv;
	field = malloc(1 << 20);
	field[0] = 1;
	if (argc > 1)
		raise(SIGKILL);
	return 0;
}
