/* SPDX-License-Identifier: Apache-2.0 */
/* keep() of pool.h, called directly and within a call, all of it inlined.
 * Used by t4070. */
#include "pool.h"
static struct pool all;
static void fill(int n)
{
	for (int i = 0; i < n; i++)
		keep(&all, 100 + i);
}
int main(int argc, char **argv)
{
	fill(argc * 3);
	keep(&all, argc);
	return all.item[argc] == argv;
}
