/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 1000 bytes, kept until there is a byte to read.
 * Used by t6110. */
#include <stdlib.h>
#include <unistd.h>
static void *volatile p;
int main(void)
{
	char c;

	p = malloc(1000);
	return read(0, &c, 1) != 1;
}
