/* SPDX-License-Identifier: Apache-2.0 */
/* Code on another stack: a call, and a thread. */
#pragma once

/* Defines void name(void *top, void (*f)(void *), void *arg): calls f(arg) on
 * the stack that ends at @top.  The CFA is computed from the frame pointer. */
#define WM_STACK_SWITCH(name)                                                  \
	__asm__(".text\n"                                                      \
		".p2align 4\n"                                                 \
		".globl " #name "\n"                                           \
		".hidden " #name "\n"                                          \
		".type " #name ",@function\n"                                  \
		"" #name ":\n"                                                 \
		"	.cfi_startproc\n"                                            \
		"	endbr64\n"                                                   \
		"	pushq	%rbp\n"                                                \
		"	.cfi_def_cfa_offset 16\n"                                    \
		"	.cfi_offset 6, -16\n"                                        \
		"	movq	%rsp, %rbp\n"                                           \
		"	.cfi_def_cfa_register 6\n"                                   \
		"	movq	%rdi, %rsp\n"                                           \
		"	movq	%rdx, %rdi\n"                                           \
		"	call	*%rsi\n"                                                \
		"	movq	%rbp, %rsp\n"                                           \
		"	popq	%rbp\n"                                                 \
		"	.cfi_def_cfa 7, 8\n"                                         \
		"	ret\n"                                                       \
		"	.cfi_endproc\n"                                              \
		".size " #name ", .-" #name "\n")

/* Defines long name(unsigned long flags, void *stack, void *tls): calls
 * clone(2); the new thread continues in main() on @stack. */
#define WM_THREAD_CLONE(name, main)                                            \
	__asm__(".text\n"                                                      \
		".p2align 4\n"                                                 \
		".globl " #name "\n"                                           \
		".hidden " #name "\n"                                          \
		".type " #name ",@function\n"                                  \
		"" #name ":\n"                                                 \
		"	.cfi_startproc\n"                                            \
		"	endbr64\n"                                                   \
		"	movq	%rdx, %r8\n"                                            \
		"	xorl	%edx, %edx\n"                                           \
		"	xorl	%r10d, %r10d\n"                                         \
		"	movl	$56, %eax\n"                                            \
		"	syscall\n"                                                   \
		"	testq	%rax, %rax\n"                                          \
		"	jz	1f\n"                                                     \
		"	ret\n"                                                       \
		"1:	.cfi_undefined 16\n" /* outermost */                   \
		"	xorl	%ebp, %ebp\n"                                           \
		"	call	" #main "\n"                                   \
		"	hlt\n"                                                       \
		"	.cfi_endproc\n"                                              \
		".size " #name ", .-" #name "\n")
