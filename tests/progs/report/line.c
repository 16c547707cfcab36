/* SPDX-License-Identifier: Apache-2.0 */
/* two(): malloc of 10, 1000 and 20 bytes in three lines, kept.
 * Used by t5000. */
#include <stdlib.h>
void *keep[3];
void two(void)
{
	keep[0] = malloc(10);
	keep[1] = malloc(1000);
	keep[2] = malloc(20);
}
int main(void) { two(); return 0; }
