/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 54321 bytes in own(), kept, and what library() of a library
 * allocates; with an argument it ends by SIGKILL.
 * Used by t5950. */
#include <stdlib.h>
#include <signal.h>
void library(void);
void *volatile mine;
__attribute__((noinline)) static void own(void) { mine = malloc(54321); }
int main(int argc, char **argv)
{
	(void)argv;
	own();
	library();
	return argc > 1 ? raise(SIGKILL) : 0;
}
