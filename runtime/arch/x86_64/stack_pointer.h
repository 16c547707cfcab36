/* SPDX-License-Identifier: Apache-2.0 */
/* The stack pointer, and the hook that compilers call at the beginning of a
 * function. */
#pragma once

#include <stdint.h>

static inline uintptr_t wm_stack_pointer(void)
{
	uintptr_t stack;

	__asm__ volatile("mov %%rsp, %0" : "=r"(stack));
	return stack;
}

/* Defines void __tsan_func_entry(void *), which calls then(stack pointer of the
 * caller, return address of the hook, frame pointer of the caller). */
#define WM_FUNCTION_ENTRY(then)                                                \
	__asm__(".pushsection .text\n"                                         \
		".globl __tsan_func_entry\n"                                   \
		".type __tsan_func_entry, @function\n"                         \
		"__tsan_func_entry:\n"                                         \
		"	leaq 8(%rsp), %rdi\n"                                        \
		"	movq (%rsp), %rsi\n"                                         \
		"	movq %rbp, %rdx\n"                                           \
		"	jmp " #then "\n"                                       \
		".size __tsan_func_entry, .-__tsan_func_entry\n"               \
		".popsection")
