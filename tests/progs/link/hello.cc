// SPDX-License-Identifier: Apache-2.0
// 100 strings of 50 characters, all freed, and a throw that is caught; prints
// "caught 100".
// Used by `sources` of wmcc-lib.sh.
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>
int main()
{
	std::vector<std::string> v(100, std::string(50, 'x'));

	try {
		v.at(1000) = "";
	} catch (const std::out_of_range &e) {
		std::cout << "caught " << v.size() << std::endl;
	}
}
