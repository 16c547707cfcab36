/* SPDX-License-Identifier: Apache-2.0 */
/* mesh_field(n): strdup of 10 bytes, kept, and field_make(n); static memory:
 * 7000 bytes.
 * Used by t5170. */
#include <stdlib.h>
#include <string.h>
void *field_make(size_t n);
char mesh_table[7000] = { 1 };
void *mesh_keep;
void *mesh_field(size_t n)
{
	mesh_table[n % 7]++;
	mesh_keep = strdup("123456789");
	return field_make(n);
}
void mesh_call(void (*back)(void)) { back(); }
