/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/on_stack.h"

#include <sys/mman.h>

#include "runtime/pool.h"
#include "runtime/state.h"
#include "runtime/sys.h"

void *wm_stack_new(size_t bytes)
{
	char *p = wm_pool_map(WM_PAGE + bytes);

	if (!p)
		return NULL;
	WM_SYS3(SYS_mprotect, p, WM_PAGE, PROT_NONE);
	return p + WM_PAGE + bytes;
}

#if defined(__x86_64__)
/*
 * wm_stack_switch(top, f, arg).  The frame pointer leads back to the caller's
 * stack, so the CFA rests on it.
 */
void wm_stack_switch(void *top, void (*f)(void *), void *arg) wm_hidden;
__asm__(".text\n"
	".p2align 4\n"
	".globl wm_stack_switch\n"
	".hidden wm_stack_switch\n"
	".type wm_stack_switch,@function\n"
	"wm_stack_switch:\n"
	"	.cfi_startproc\n"
	"	endbr64\n"
	"	pushq	%rbp\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset 6, -16\n"
	"	movq	%rsp, %rbp\n"
	"	.cfi_def_cfa_register 6\n"
	"	movq	%rdi, %rsp\n"
	"	movq	%rdx, %rdi\n"
	"	call	*%rsi\n"
	"	movq	%rbp, %rsp\n"
	"	popq	%rbp\n"
	"	.cfi_def_cfa 7, 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size wm_stack_switch, .-wm_stack_switch\n");
#else
static void wm_stack_switch(void *top, void (*f)(void *), void *arg)
{
	(void)top;
	f(arg);
}
#endif

void wm_on_stack(void *top, void (*f)(void *), void *arg)
{
	if (top)
		wm_stack_switch(top, f, arg);
	else
		f(arg);
}
