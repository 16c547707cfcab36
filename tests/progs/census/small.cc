// SPDX-License-Identifier: Apache-2.0
// 400 bytes of .bss, 4 of .data, 56 in main, and a std::map with one string,
// freed.
// Used by t4040.
#include <map>
#include <string>
static int table[100];
int counter = 3;
int main(int argc, char **argv)
{
	static long calls[7];
	std::map<int, std::string> m;
	m[argc] = argv[0];
	calls[argc] = counter;
	table[argc] = (int)m.size();
	return table[0] + (int)calls[6];
}
