/* SPDX-License-Identifier: Apache-2.0 */
/* grid of 4000000 bytes, counts of 1000, scratch of 77 for each thread,
 * COMMON of 1200; with -DNEW other sizes, fresh instead of counts.  malloc of
 * 10 bytes, freed.
 * Used by t4050. */
#include <stdlib.h>
#ifdef NEW
double grid[500][2000];
int fresh[100] = { 1 };
#define counts fresh
#else
double grid[500][1000];
int counts[250] = { 1 };
#endif
static __thread char scratch[77];
extern int shared_block[300];
int main(int argc, char **argv)
{
	char *p = malloc((size_t)argc * 10);

	(void)argv;
	scratch[argc] = p != NULL;
	grid[argc][argc] = counts[argc] + scratch[argc] + shared_block[argc];
	free(p);
	return grid[1][2] != 0;
}
