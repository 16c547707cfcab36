// SPDX-License-Identifier: Apache-2.0
// malloc of 100000 to 400000 bytes, kept, in functions with odd names: in a
// template, an operator "", inlined, a lambda.
// Used by t5710.
#include <cstdlib>
void *volatile keep[4];
template <typename T> struct box {
	__attribute__((noinline)) static void fill(unsigned long n)
	{
		keep[0] = malloc(n);
	}
};
__attribute__((noinline)) void operator""_kept(unsigned long long n)
{
	keep[1] = malloc(n);
}
static inline __attribute__((always_inline)) void inner(unsigned long n)
{
	keep[2] = malloc(n);
}
__attribute__((noinline)) void outer(unsigned long n) { inner(n); }
int main()
{
	auto f = [](unsigned long n) __attribute__((noinline)) {
		keep[3] = malloc(n);
	};
	box<box<int>>::fill(100000);
	200000_kept;
	outer(300000);
	f(400000);
	return 0;
}
