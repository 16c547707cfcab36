/* SPDX-License-Identifier: Apache-2.0 */
/* Static memory of each kind, with sizes that differ: 400 bytes COMMON, 200
 * of .bss, 40 of .data, 256 of .rodata, 4 and 120 of threads, 56 in main.
 * Used by t4000. */
#include <stdio.h>
int shared_common[100];
static int local[50];
__thread int tls_data = 5;
__thread int tls_bss[30];
const char *const pointers[] = { "abc", "def" };
const int table[64] = { 1, 2, 3 };
volatile int counts[10] = { 1, 2, 3 };
extern int second(void);
int main(int argc, char **argv)
{
	static double hidden[7];
	(void)argv;
	hidden[argc] = second();
	printf("%p %p %d %p %d\n", (void *)shared_common, (void *)local,
	       tls_data + tls_bss[argc] + counts[argc], (void *)hidden,
	       table[argc]);
	return pointers[argc & 1][0] == 'q';
}
