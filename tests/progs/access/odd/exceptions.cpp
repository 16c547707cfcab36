/* SPDX-License-Identifier: Apache-2.0 */
/* Exceptions through hooked functions, in two threads.  Used by t3422. */
#include <cstdio>
#include <vector>
#include <stdexcept>
#include <thread>
struct G {
	int *p;
	G(int *q) : p(q)
	{
	}
	~G()
	{
		++*p;
	}
};
static int n;
int f(int d)
{
	G g(&n);
	if (d == 0)
		throw std::runtime_error("x");
	std::vector<int> v(d);
	v[d - 1] = d;
	return f(d - 1) + v[0];
}
int main()
{
	int c = 0;
	std::thread t([] {
		try {
			f(50);
		} catch (...) {
		}
	});
	t.join();
	for (int i = 0; i < 100; i++)
		try {
			f(20);
		} catch (std::exception &) {
			c++;
		}
	std::printf("%d %d\n", c, n);
}
