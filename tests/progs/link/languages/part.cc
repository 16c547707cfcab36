// SPDX-License-Identifier: Apache-2.0
// For main.f90: part() makes a std::vector of n int, freed, and throws within
// it; prints "caught".
// Used by t1060.
#include <iostream>
#include <stdexcept>
#include <vector>
extern "C" int part_(int *n)
{
	std::vector<int> v(*n, 1);
	try {
		return v.at(*n + 1);
	} catch (const std::out_of_range &) {
		std::cout << "caught" << std::endl;
		return (int)v.size();
	}
}
