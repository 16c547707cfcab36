/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Globals, a named block and locals, for exports line by line.  With SWEEP
 * loops over globals that valgrind's lackey sees as well, with SCATTER so many
 * accesses that the trace has several blocks of them.
 */
#include <stdlib.h>
#include <wm/wmtrace.h>

struct {
	int Ab, Ba;
} myG;
int counter;
double grid[4][6];
char wide[1 << 20];

/* The compiler's hooks leave out local variables that no pointer reaches. */
static void point(void *a, void *b)
{
	(void)a;
	(void)b;
}

static int foo(int f_loc, int *ptr)
{
	point(&f_loc, NULL);
	f_loc += myG.Ab;
	ptr[5] = f_loc;
	return *(ptr + 25) + f_loc;
}

static void sweep(void)
{
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 6; j++)
			grid[i][j] = i + j + (j ? grid[i][j - 1] : 0);
	for (int k = 0; k < 1000; k++)
		counter += (int)grid[k % 4][k % 6] + myG.Ba;
}

static void scatter(void)
{
	unsigned long x = 88172645463325252;

	for (int i = 0; i < 300000; i++) {
		x = x * 6364136223846793005 + 1442695040888963407;
		wide[x >> 44] = (char)i;
	}
}

int main(void)
{
	int Arr[10], A;
	int *ptr;

	point(&A, Arr);
	A = 3;
	wm_region("myGlobal", &myG, sizeof(myG), sizeof(int));
	myG.Ab = 1;
	myG.Ba = 2;
	wm_name_next("mystruct");
	ptr = malloc(50 * sizeof(int));
	*(ptr + 25) = 4;
	Arr[5] = A;
	wm_mark("half way");
	counter += foo(Arr[5], ptr);
	free(ptr);
	for (int k = 0; k < 2; k++) {
		ptr = malloc(12);
		ptr[1 + k] = k;
		free(ptr);
	}
	if (getenv("SWEEP"))
		sweep();
	if (getenv("SCATTER"))
		scatter();
	return 0;
}
