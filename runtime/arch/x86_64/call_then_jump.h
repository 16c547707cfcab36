/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A function that calls another one with its own arguments, up to three, and
 * jumps to the function that this call returned, which sees the caller's return
 * address.
 */
#ifndef WM_RUNTIME_CALL_THEN_JUMP_H
#define WM_RUNTIME_CALL_THEN_JUMP_H

/* The function @name calls wm_before_@name; weak: a program may have its own. */
#define WM_CALL_THEN_JUMP(name)                                                \
	__asm__(".pushsection .text\n"                                         \
		".weak " #name "\n"                                            \
		".type " #name ",@function\n" #name ":\n"                      \
		"	.cfi_startproc\n"                                            \
		"	endbr64\n"                                                   \
		"	pushq	%rdi\n"                                                \
		"	.cfi_adjust_cfa_offset 8\n"                                  \
		"	pushq	%rsi\n"                                                \
		"	.cfi_adjust_cfa_offset 8\n"                                  \
		"	pushq	%rdx\n"                                                \
		"	.cfi_adjust_cfa_offset 8\n"                                  \
		"	call	wm_before_" #name "\n"                         \
		"	popq	%rdx\n"                                                 \
		"	.cfi_adjust_cfa_offset -8\n"                                 \
		"	popq	%rsi\n"                                                 \
		"	.cfi_adjust_cfa_offset -8\n"                                 \
		"	popq	%rdi\n"                                                 \
		"	.cfi_adjust_cfa_offset -8\n"                                 \
		"	jmp	*%rax\n"                                                 \
		"	.cfi_endproc\n"                                              \
		".size " #name ",.-" #name "\n"                                \
		".popsection")

#endif
