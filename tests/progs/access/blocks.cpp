// SPDX-License-Identifier: Apache-2.0
// Strings and vectors that are copied, filled, moved and compared.  Used by
// t3430.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

struct cell {
	double value[100]; // gcc copies it by memcpy()
};

static double work(size_t n)
{
	std::vector<double> a(n, 1.0), b(a), c;
	std::vector<char> bytes(n, 'x');
	std::vector<cell> cells(20);
	std::string s(n, 'y'), t;

	c = b;
	c.insert(c.begin() + 3, 2.0);
	for (int i = 0; i < 200; i++) {
		t += std::string("a part of it") + std::to_string(i);
		s.replace(3, 5, t.substr(0, 20));
		std::memcpy(&bytes[i], t.data(), n / 2);
		cells[i % 20] = cells[(i + 7) % 20];
		cells[i % 20].value[i % 100] = i + bytes[i];
		cells.push_back(cells[i % 3]);
		a = c;
	}
	return a[2] + c[4] + cells[3].value[23] +
	       static_cast<double>(s.size() + t.size() + strlen(t.c_str()));
}

int main(int argc, char **)
{
	double sum = 0;

	for (int i = 0; i < 20; i++)
		sum += work(1000 + static_cast<size_t>(argc));
	std::printf("%g\n", sum);
	return sum < 0;
}
