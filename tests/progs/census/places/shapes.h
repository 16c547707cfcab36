/* SPDX-License-Identifier: Apache-2.0 */
/* A template whose code lies in main.cc and in other.cc: std::vector of its
 * parameter.
 * Used by t4010. */
#include <vector>
template <class T> struct box {
	std::vector<T> items;
	T sum() const
	{
		T s = 0;
		for (const T &i : items)
			s += i;
		return s;
	}
};
int other(int n);
