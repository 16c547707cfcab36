/* garbage: for each of some values that no frame pointer has, allocates a block
 * of 100 bytes with it in that register, and frees it; then a block of 777
 * bytes at a depth of 200 calls, which stays.  Prints the number of values. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* f(n) with @value in the frame pointer */
void *with(uintptr_t value, void *(*f)(size_t), size_t n);
#if defined(__x86_64__)
__asm__(".text\n"
	".globl with\n"
	".type with,@function\n"
	"with:\n"
	"	.cfi_startproc\n"
	"	pushq	%rbp\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset 6, -16\n"
	"	movq	%rdi, %rbp\n"
	"	movq	%rdx, %rdi\n"
	"	call	*%rsi\n"
	"	popq	%rbp\n"
	"	.cfi_def_cfa_offset 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size with, .-with\n");
#else
void *with(uintptr_t value, void *(*f)(size_t), size_t n)
{
	return f(n);
}
#endif

static __attribute__((noinline)) void *get(size_t n)
{
	void *volatile p = malloc(n);

	return p;
}

static __attribute__((noinline)) void *deep(int depth)
{
	void *volatile p = depth ? deep(depth - 1) : get(777);

	return p;
}

static void try(uintptr_t value, int *count)
{
	/* in a function with frame pointers, and as the wrapper's caller */
	free(with(value, get, 100));
	free(with(value, malloc, 100));
	++*count;
}

int main(void)
{
	size_t page = 4096;
	char *p = mmap(NULL, 16 * page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uintptr_t here = (uintptr_t)&page & ~(uintptr_t)15, *chain;
	int count = 0;

	/* a chain of frames that leads to where nothing is */
	munmap(p + 8 * page, page);
	mprotect(p + 12 * page, page, PROT_NONE);
	chain = (void *)p;
	chain[0] = (uintptr_t)p + 8 * page;
	chain[1] = (uintptr_t)main + 4;
	chain[512] = chain[514] = (uintptr_t)(p + 512 * 8); /* to itself */
	chain[513] = (uintptr_t)main + 4;
	chain[515] = (uintptr_t)main + 4;
	for (uintptr_t i = 0; i < 64; i++) {
		try((uintptr_t)1 << i, &count);
		try(here + 8 * i, &count);
		try(here + page * i, &count);
		try(here - page * i, &count);
		try((uintptr_t)p + page * i, &count);
		try((uintptr_t)p + page * i - 16, &count);
		try((uintptr_t)p + page * i - 8, &count);
		try(~(uintptr_t)0 - 8 * i, &count);
	}
	try((uintptr_t)(chain + 514), &count);
	try(UINT64_C(0x800000000000), &count);
	try(UINT64_C(0xffffffffff600000), &count);
	printf("%d\n", count);
	return deep(200) == NULL;
}
