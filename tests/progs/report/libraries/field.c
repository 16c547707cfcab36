/* SPDX-License-Identifier: Apache-2.0 */
/* field_make(n): malloc of n bytes; static memory: 50000 bytes, and 300 for
 * each thread.
 * Used by t5170. */
#include <stdlib.h>
char field_table[50000];
static _Thread_local char field_tls[300];
void *field_make(size_t n)
{
	void *p = malloc(n);
	field_tls[0] = field_table[n % 7] = 1;
	return p;
}
