// SPDX-License-Identifier: Apache-2.0
// 80000 bytes for setup() and 16000 for solve() through a member of a
// template, 5000 by malloc in setup(); all kept.
// Used by t5180.
#include <cstdlib>
#include <vector>
void *volatile keep[9];
template <class T> struct array {
	T *data;
	__attribute__((noinline)) void allocate(size_t n) { data = new T[n]; }
};
__attribute__((noinline)) static void setup()
{
	array<double> a;
	a.allocate(10000);
	keep[0] = a.data;
	keep[4] = std::malloc(5000);
}
__attribute__((noinline)) static void solve()
{
	array<double> a;
	a.allocate(2000);
	keep[1] = a.data;
}
int main()
{
	setup();
	solve();
	keep[3] = nullptr;
}
