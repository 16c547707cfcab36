/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 1 byte, freed; defines a function of the runtime, so that it has no
 * twin.
 * Used by t1050, t1240, t1300, t1320. */
#include <stdlib.h>
void wm_enter_again(void)
{
}
int main(void)
{
	void *volatile p = malloc(1);

	free(p);
	return 0;
}
