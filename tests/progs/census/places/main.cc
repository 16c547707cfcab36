// SPDX-License-Identifier: Apache-2.0
// Three int in a std::vector, freed; its helper() is not that of other.cc.
// Used by t4010.
#include "shapes.h"
static int helper(int n)
{
	box<int> b;
	for (int i = 0; i < n; i++)
		b.items.push_back(other(i));
	return b.sum();
}
int main(int argc, char **argv)
{
	try {
		return helper(argc * 3) - 9;
	} catch (...) {
		return 2;
	}
}
