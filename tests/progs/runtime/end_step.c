/* SPDX-License-Identifier: Apache-2.0 */
/*
 * end_step FILE N: malloc of 100 bytes; then _exit, with a trap (SIGTRAP) after
 * each instruction.  The handler of the Nth maps 77 pages, and there are no
 * more traps; FILE holds how many there were (int, mapped shared).  A trap
 * where all signals are blocked kills: with a large N that tells where the
 * runtime blocks them first.
 * (t3129)
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define PAGE 4096
#define TRAP_FLAG 0x100

static volatile int *steps;
static int at;
static void *volatile kept;

static void step(int signal, siginfo_t *info, void *context)
{
	ucontext_t *c = context;

	(void)signal;
	(void)info;
	if (++*steps != at)
		return;
	c->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
	mmap(NULL, 77 * PAGE, PROT_READ | PROT_WRITE,
	     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(int argc, char **argv)
{
	struct sigaction act = { .sa_sigaction = step, .sa_flags = SA_SIGINFO };
	int fd = argc == 3 ? open(argv[1], O_RDWR) : -1;

	if (fd < 0)
		return 2;
	steps = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	at = atoi(argv[2]);
	kept = malloc(100);
	sigaction(SIGTRAP, &act, NULL);
	__asm__ volatile("pushfq\n\torq %0, (%%rsp)\n\tpopfq"
			 :
			 : "i"(TRAP_FLAG)
			 : "memory", "cc");
	_exit(0);
}
