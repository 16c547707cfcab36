/* Regions of OpenMP, with 4 threads: each thread forgets 1,000 bytes in a
 * parallel region of solve(), line 18, and 2,000 bytes through grab() in a
 * loop of space::relax(), line 31. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <cstdlib>

static void *volatile kept[64];

__attribute__((noinline)) static void grab(int i)
{
	kept[i] = malloc(2000);
}

__attribute__((noinline)) static void solve(int n)
{
	int k = 0;

#pragma omp parallel num_threads(n) shared(k)
	{
		int i;

#pragma omp atomic capture
		i = k++;
		kept[i] = malloc(1000);
	}
}

namespace space {
__attribute__((noinline)) static void relax(int n)
{
#pragma omp parallel for num_threads(n) schedule(static, 1)
	for (int i = 0; i < n; i++)
		grab(8 + i);
}
}

int main()
{
	solve(4);
	space::relax(4);
	return 0;
}
