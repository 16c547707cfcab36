// SPDX-License-Identifier: Apache-2.0
// Brings malloc and operator new in one file and uses both there: 10 times
// new int, delete, new int[10], delete[]; malloc(7) once.
#include <cstddef>
#include <cstdio>
#include <new>

static char heap[1 << 22] __attribute__((aligned(16)));
static size_t at;

extern "C" void *malloc(size_t n)
{
	char *p = heap + at;

	at += (n + 15) & ~(size_t)15;
	return p;
}
extern "C" void free(void *) {}
extern "C" void *calloc(size_t n, size_t size) { return malloc(n * size); }
extern "C" void *realloc(void *, size_t n) { return malloc(n); }

void *operator new(size_t n)
{
	void *p = malloc(n);

	if (!p)
		throw std::bad_alloc();
	return p;
}
void operator delete(void *p) noexcept { free(p); }
void operator delete(void *p, size_t) noexcept { free(p); }

static int *volatile kept;
static void *volatile block;

int main(int argc, char **)
{
	for (int i = 0; i < 10 && argc == 1; i++) {
		kept = new int(i);
		delete kept;
		kept = new int[10];
		delete[] kept;
	}
	if (argc == 1)
		block = malloc(7);
	puts("done");
}
