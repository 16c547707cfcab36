/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 10 bytes, freed; with an argument it fills stderr first.  Ends
 * with 3.
 * Used by t3010. */
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	static char page[4096];
	void *volatile p = malloc(10);

	(void)argv;
	free(p);
	for (int i = 0; argc > 1 && i < 16; i++)
		if (write(2, page, sizeof(page)) < 0)
			return 4;
	return 3;
}
