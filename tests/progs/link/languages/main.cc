// SPDX-License-Identifier: Apache-2.0
// A string of 100 characters, freed; calls work(100) of Fortran.
// Used by t1060.
#include <string>
extern "C" void work(int);
int main()
{
	std::string s(100, 'x');
	work((int)s.size());
}
