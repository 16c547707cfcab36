/* same_frame: two functions with frames of one size, of which one goes by its
 * frame pointer and the other only looks so; 2,000 calls of the second; then the
 * first from two places, by turns, with frames that end at one place, over what
 * the other left: an unwinder that has stopped looking at frame pointers takes
 * one for the other.  50 blocks of 333 bytes come from the shorter path. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef void leaf(int bytes);
/* calls f(bytes) with @more bytes in its frame */
typedef void middle(leaf *f, int bytes, long more, int way);

middle by_bp, by_sp;

__asm__(".text\n"
	".type by_bp,@function\n"
	"by_bp:\n"
	".cfi_startproc\n"
	"push %rbp\n"
	".cfi_def_cfa_offset 16\n"
	".cfi_offset 6,-16\n"
	"mov %rsp,%rbp\n"
	".cfi_def_cfa_register 6\n"
	"sub %rdx,%rsp\n"
	"sub $32,%rsp\n"
	"mov %rdi,%rax\n"
	"mov %esi,%edi\n"
	"call *%rax\n"
	"leave\n"
	".cfi_def_cfa 7,8\n"
	"ret\n"
	".cfi_endproc\n"
	".size by_bp,.-by_bp\n"
	".type by_sp,@function\n"
	"by_sp:\n"
	".cfi_startproc\n"
	"push %rbp\n"
	".cfi_def_cfa_offset 16\n"
	".cfi_offset 6,-16\n"
	"mov %rsp,%rbp\n"
	"sub $32,%rsp\n"
	".cfi_def_cfa_offset 48\n"
	"mov %rdi,%rax\n"
	"mov %esi,%edi\n"
	"call *%rax\n"
	"add $32,%rsp\n"
	".cfi_def_cfa_offset 16\n"
	"pop %rbp\n"
	".cfi_restore 6\n"
	".cfi_def_cfa_offset 8\n"
	"ret\n"
	".cfi_endproc\n"
	".size by_sp,.-by_sp\n"
	".section .note.GNU-stack,\"\",@progbits\n"
	".text\n");

static uintptr_t stack_pointer;

static __attribute__((noinline)) void touch(int bytes)
{
	uintptr_t sp;
	void *volatile p;

	__asm__ volatile("mov %%rsp,%0" : "=r"(sp));
	stack_pointer = sp;
	p = malloc((size_t)bytes);
	free(p);
	__asm__ volatile("");
}

static middle *const how[] = { by_sp, by_bp };

static __attribute__((noinline)) void deep(leaf *f, int bytes, long more,
					   int way)
{
	how[way >> 6 & 1](f, bytes, more, way);
	__asm__ volatile("");
}

/* Four places of call, so that there are many paths with one innermost frame,
 * more than are remembered of late. */
#define PLACE(n, next)                                                         \
	case n:                                                                \
		next(f, bytes, more, way);                                     \
		__asm__ volatile("nop # " #n);                                 \
		break;
#define LEVEL(name, next, shift)                                               \
	static __attribute__((noinline)) void name(leaf *f, int bytes,         \
						   long more, int way)         \
	{                                                                      \
		switch (way >> shift & 3) {                                    \
			PLACE(0, next)                                         \
			PLACE(1, next)                                         \
			PLACE(2, next)                                         \
			PLACE(3, next)                                         \
		}                                                              \
	}
LEVEL(inner, deep, 0)
LEVEL(level, inner, 2)
LEVEL(outer, level, 4)

static middle *volatile first[] = { outer, by_bp };

static __attribute__((noinline)) void call(int i, int bytes, long more, int way)
{
	first[i](touch, bytes, more, way);
	__asm__ volatile("");
}

int main(void)
{
	/* volatile: not in the frame pointer, which all paths have in common
	 * then, and one place of call for all */
	volatile uintptr_t longer = 0;
	volatile long more = 0;

	for (volatile int i = 0; i < 2600; i++) {
		volatile int shorter = i == 1 || (i >= 2500 && i % 2);
		volatile int bytes = i < 500 ? 100 : i < 2500 ? 200 : 300;
		/* by_bp, but for 500 to 2,499 */
		volatile int way = (i & 63) | (i < 500 || i >= 2500) << 6;

		call(shorter, bytes + 33 * shorter, shorter ? more : 0, way);
		if (i == 0)
			longer = stack_pointer;
		else if (i == 1)
			more = (long)(stack_pointer - longer);
	}
	printf("%ld\n", more);
	return 0;
}
