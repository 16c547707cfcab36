// SPDX-License-Identifier: Apache-2.0
// For a library: lib_hold() makes a vector of 240000 bytes in a class that
// has no name outside, kept.
// Used by t5060.
#include <vector>
namespace {
struct cell { double at[3]; };
struct grid {
	std::vector<cell> cells;
	grid(int n) : cells(n) {}
};
}
static grid *volatile keep;
extern "C" void lib_hold(void)
{
	keep = new grid(10000);
}
