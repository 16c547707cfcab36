/* SPDX-License-Identifier: Apache-2.0 */
/* mesh_field(20000), malloc of 60 and 600 bytes, and of 4000 in a function
 * that mesh.c calls; all kept.  Static memory: 90000 bytes.
 * Used by t5170. */
#include <stdlib.h>
void *mesh_field(size_t n);
void mesh_call(void (*back)(void));
void *volatile keep[4];
char table[90000];
static void back(void)
{
	keep[0] = malloc(4000);
}
int main(void)
{
	keep[1] = mesh_field(20000);
	keep[2] = malloc(60);
	keep[3] = malloc(600); table[1] = 1;
	mesh_call(back);
	return 0;
}
