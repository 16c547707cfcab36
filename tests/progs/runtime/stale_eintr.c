/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 10 bytes, freed, while errno is EINTR, which must not make
 * anything wait or try again; ends with 0 when errno is as it was.
 * Used by t3000. */
#include <errno.h>
#include <stdlib.h>
int main(void)
{
	errno = EINTR;
	void *volatile p = malloc(10);
	free(p);
	return errno != EINTR;
}
