// SPDX-License-Identifier: Apache-2.0
// A std::vector of 1000 double by new, kept.
// Used by t5170.
#include <vector>
std::vector<double> *keep;
int main()
{
	keep = new std::vector<double>(1000);
	return 0;
}
