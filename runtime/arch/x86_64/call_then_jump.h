/* SPDX-License-Identifier: Apache-2.0 */
/* Defines a function that calls another one with its own arguments, up to
 * three, and jumps to the function that this call returned, which sees the
 * return address of the original caller. */
#pragma once

/* Defines @name, which calls wm_before_@name.  It is weak, because a program
 * may have a function of this name. */
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
