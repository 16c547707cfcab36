// SPDX-License-Identifier: Apache-2.0
// driver(n): vectors of n double, n / 2 int and 3 n double, freed; the first
// two in a class with a long name.
// Used by t5060.
#include <vector>
namespace mini {
template <class T, class Index, class Size> struct matrix {
	std::vector<T> values;
	std::vector<Index> columns;
	matrix(Size n) : values(n), columns(n / 2) {}
};
static inline double driver(int n)
{
	matrix<double, int, unsigned long> m(n);
	std::vector<double> x(3 * n);
	return m.values[n / 2] + x[n] + m.columns[1];
}
}
