/* SPDX-License-Identifier: Apache-2.0 */
/* 77777 bytes by take() of util.h, in setup(), kept; both are inlined.
 * Used by t5060. */
#include "util.h"
void *volatile keep;
static void setup(int n)
{
	keep = take(77777 * n);
}
int main(int argc, char **argv)
{
	(void)argv;
	setup(argc);
	return 0;
}
