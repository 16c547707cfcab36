// SPDX-License-Identifier: Apache-2.0
// malloc of 1000000 bytes, kept, in a function with a very long name.
// Used by t5060.
#include <cstdlib>
template <class A, class B, class C> struct triple { A a; B b; C c; };
void *volatile keep;
template <class T> struct assembler {
	__attribute__((noinline, noipa)) void *operator()(const T *, const T &, int n)
	{
		return keep = std::malloc(n);
	}
};
typedef triple<triple<double, int, long>, triple<float, short, char>, int> deep;
int main()
{
	deep d = deep();
	return assembler<deep>()(&d, d, 1000000) == 0;
}
