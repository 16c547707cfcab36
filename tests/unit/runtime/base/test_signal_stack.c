/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wm_is_on_signal_stack() in a handler, on its own stack and on that of the
 * program, and how often it asks the kernel.
 */
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "tests/unit/tap.h"

static unsigned asked;
#undef SYS_sigaltstack
#define SYS_sigaltstack (asked++, __NR_sigaltstack)
#include "runtime/base/signal_stack.h"

#define QUESTIONS 100000

static char stack[65536];
static uintptr_t outside;
static unsigned yes;

static void handler(int sig)
{
	(void)sig;
	yes = 0;
	asked = 0;
	for (int i = 0; i < QUESTIONS; i++)
		yes += wm_is_on_signal_stack(outside);
}

static unsigned answers(bool on_own)
{
	struct sigaction sa = { .sa_handler = handler,
				.sa_flags = on_own ? SA_ONSTACK : 0 };

	sigaction(SIGUSR1, &sa, NULL);
	raise(SIGUSR1);
	return yes;
}

int main(void)
{
	stack_t own = { .ss_sp = stack, .ss_size = sizeof(stack) };
	stack_t none = { .ss_flags = SS_DISABLE };

	tap_plan(7);
	outside = (uintptr_t)__builtin_frame_address(0);
	sigaltstack(&own, NULL);
	tap_ok(answers(true) == QUESTIONS, "on its own stack");
	/* each is a system call, which some kernels take 2 us for */
	tap_ok(asked <= QUESTIONS / 250, "it asks %u times for %d answers",
	       asked, QUESTIONS);
	tap_ok(!wm_is_on_signal_stack(outside), "not behind the handler");
	tap_ok(answers(false) == 0, "a handler on the program's stack");
	outside = (uintptr_t)stack + 4096;
	tap_ok(answers(true) == 0, "what it interrupted is on its stack, too");
	outside = (uintptr_t)__builtin_frame_address(0);
	answers(true);
	tap_ok(asked <= QUESTIONS / 250, "and again, after another question");
	sigaltstack(&none, NULL);
	tap_ok(answers(true) == 0, "without such a stack");
	return tap_done();
}
