// A C++ mesh with churn: mesh [ROUNDS].  Per round refine() makes 1,000 cells
// of 48 bytes with `new` and a std::vector<double> of 100 (800 bytes), and
// coarsen() deletes them again; before them, vertices() keeps one
// std::vector<double> of 10,000 (80,000 bytes) until the end, and a deep
// throw crosses 30 frames with a live std::string each.  Default: 50 rounds.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct cell {
	double x[5];
	cell *next;
};

__attribute__((noinline)) static std::vector<double> *vertices()
{
	return new std::vector<double>(10000, 1.0);
}

__attribute__((noinline)) static cell *refine(std::vector<double> &scratch)
{
	cell *list = nullptr;

	scratch = std::vector<double>(100);
	for (int i = 0; i < 1000; i++)
		list = new cell{ { double(i) }, list };
	return list;
}

__attribute__((noinline)) static double coarsen(cell *list)
{
	double sum = 0;

	while (list) {
		cell *next = list->next;
		sum += list->x[0];
		delete list;
		list = next;
	}
	return sum;
}

__attribute__((noinline)) static int deep(int n)
{
	std::string s(size_t(n) + 40, 'x');

	if (n == 0)
		throw std::runtime_error("bottom");
	return deep(n - 1) + int(s.size());
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? std::atoi(argv[1]) : 50;
	std::unique_ptr<std::vector<double>> v(vertices());
	std::vector<double> scratch;
	double sum = 0;
	int caught = 0;

	for (int i = 0; i < rounds; i++) {
		sum += coarsen(refine(scratch));
		try {
			deep(30);
		} catch (const std::runtime_error &) {
			caught++;
		}
	}
	std::printf("sum %.0f caught %d last %.0f\n", sum, caught,
		    v->back());
	return caught == rounds ? 0 : 1;
}
