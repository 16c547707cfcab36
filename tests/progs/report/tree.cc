// SPDX-License-Identifier: Apache-2.0
// malloc of 8000 bytes at the end of a recursion of five, of 3000 in a lambda
// and of 500 in the lambda of a thread, all kept.
// Used by t5160.
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>
void *volatile keep;
namespace {
template <class T> struct pool {
	T *take(int n) { return (T *)(keep = malloc(n * sizeof(T))); }
};
}
static inline void fill(int n) { pool<double>().take(n); }
__attribute__((noinline)) static void recurse(int n)
{
	if (n)
		recurse(n - 1);
	else
		fill(1000);
	keep = 0;
}
int main()
{
	auto lambda = [](int n) { keep = malloc(n); };
	recurse(5);
	lambda(3000);
	std::thread([] { keep = malloc(500); }).join();
	return 0;
}
