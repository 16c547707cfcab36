// SPDX-License-Identifier: Apache-2.0
// new int[100] in each of 4 threads, deleted; prints "joined".
// Used by t1060.
#include <iostream>
#include <thread>
#include <vector>
int main()
{
	std::vector<std::thread> t;
	for (int i = 0; i < 4; i++)
		t.emplace_back([] { delete[] new int[100]; });
	for (auto &x : t)
		x.join();
	std::cout << "joined" << std::endl;
}
