// SPDX-License-Identifier: Apache-2.0
// Each call of other(): one long in a std::vector, freed.
// Used by t4010.
#include "shapes.h"
static int helper(int n)
{
	box<long> b;
	b.items.push_back(n);
	return (int)b.sum();
}
int other(int n)
{
	return helper(n) + 1;
}
