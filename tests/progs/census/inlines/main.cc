// SPDX-License-Identifier: Apache-2.0
// The same in C++, and new in a constructor within a template and in a lambda
// of a namespace.
// Used by t4070.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>
#include "pool.h"
static struct pool all;
namespace {
struct grid {
	std::vector<double> cells;
	explicit grid(int n) : cells(n) {}
};
struct names {
	std::map<int, std::string> of;
	void add(int n) { of[n] = std::string(n, 'x'); }
};
}
namespace app { namespace inner {
int *volatile kept;
static int *numbers(int n)
{
	auto make = [&](int k) { return new int[k + n]; };
	return kept = make(2 * n);
}
} }
int main(int argc, char **argv)
{
	std::unique_ptr<grid> g(new grid(argc * 1000));
	std::vector<std::string> words(argv, argv + argc);
	names n;
	n.add(argc);
	keep(&all, argc);
	std::sort(words.begin(), words.end());
	int *p = app::inner::numbers(argc);
	return p[0] + (int)g->cells[1] + (int)words.size() + n.of[3][0];
}
