/* SPDX-License-Identifier: Apache-2.0 */
/* 400 bytes of .data and 4 of .bss in main; prints a number.
 * Used by t4030. */
#include <stdio.h>
int values[100] = { 1 };
int main(void)
{
	static int calls;
	printf("%d\n", values[0] + calls++);
	return 0;
}
