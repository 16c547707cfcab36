/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions of the program's where it has memory of its own to cut up: parts of a
 * static array, of a block of the heap and of a mapping, all of a static
 * variable, one in another, and one that ends.  REUSED takes the place of
 * PRESSURE.  The heap has one block of 8,000 bytes.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <wm/wmtrace.h>

struct cell {
	double x, y;
};

double work[3000];
struct cell cells[100];
double *block, *mapping;

static void __attribute__((noinline)) fill(double *to, int n, int step)
{
	for (int i = 0; i < n; i += step)
		to[i] = i;
}

static void __attribute__((noinline)) move_cells(void)
{
	for (int i = 0; i < 100; i++)
		cells[i].y = i;
}

int main(void)
{
	block = malloc(1000 * sizeof(double));
	mapping = mmap(0, 8192, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	fill(work, 1000, 1);
	wm_region("pressure", work, 1000 * sizeof(double), sizeof(double));
	wm_region("velocity", work + 1000, 1000 * sizeof(double),
		  sizeof(double));
	wm_region("inner", work + 1500, 100 * sizeof(double), 0);
	wm_region("cells of the program", cells, sizeof(cells),
		  sizeof(*cells));
	wm_region("half", block + 500, 500 * sizeof(double), sizeof(double));
	wm_region("mapped", mapping, 8192, 4 * sizeof(double));
	fill(work, 3000, 1);
	fill(block, 1000, 1);
	fill(mapping + 1, 1000, 4);
	move_cells();
	wm_region_end(work + 1550);
	fill(work + 1500, 100, 1);
	wm_region("reused", work, 10 * sizeof(double), sizeof(float));
	fill(work + 4, 2, 1);
	*(volatile double *)&block[501] = 1;
	free(block);
	return 0;
}
