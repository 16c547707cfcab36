// SPDX-License-Identifier: Apache-2.0
// A C++ library: plug(n) makes n strings of 100 characters, all freed, and
// catches a throw; then it is 9.
// Used by t6700.
#include <stdexcept>
#include <string>
#include <vector>
extern "C" int plug(int n)
{
	std::vector<std::string> v((size_t)n, std::string(100, 'x'));

	try {
		v.at((size_t)n) = "";
	} catch (const std::out_of_range &) {
		return 9;
	}
	return 0;
}
