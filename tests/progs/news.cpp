/* Calls, without argument: operator new 8 and delete 8, each form once: new
 * int (4), int[10] (40), nothrow of both, a class of 128 bytes aligned to 64,
 * an array of 3, nothrow of one; and 1000 bytes deleted with their size; malloc
 * 1 (33), free 1.  With `none`: nothing.  With `throw`: also one new of 2^62 bytes that fails and
 * throws, and then, further in, malloc 10. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <cstdlib>
#include <cstring>
#include <new>

struct alignas(64) Wide {
	char c[128];
};

static void *volatile keep;

__attribute__((noinline)) static int deeper(int n)
{
	volatile char room[256];

	room[0] = (char)n;
	if (n)
		return deeper(n - 1) + room[0];
	for (int i = 0; i < 10; i++) {
		void *volatile p = malloc(50);

		keep = p;
	}
	return room[0];
}

static int fail()
{
	try {
		keep = operator new(static_cast<std::size_t>(1) << 62);
	} catch (const std::bad_alloc &) {
		return deeper(20) < 0;
	}
	return 1;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "none"))
		return 0;
	int *volatile a = new int;
	int *volatile b = new int[10];
	int *volatile c = new (std::nothrow) int;
	int *volatile d = new (std::nothrow) int[10];
	Wide *volatile e = new Wide;
	Wide *volatile f = new Wide[3];
	Wide *volatile g = new (std::nothrow) Wide;
	void *volatile h = operator new(1000);
	void *volatile m = malloc(33);

	free(m);
	operator delete(h, static_cast<std::size_t>(1000));
	operator delete(g, static_cast<std::align_val_t>(64), std::nothrow);
	delete[] f;
	delete e;
	operator delete[](d, std::nothrow);
	operator delete(c, std::nothrow);
	delete[] b;
	delete a;
	return argc > 1 ? fail() : 0;
}
