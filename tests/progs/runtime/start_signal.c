/* SPDX-License-Identifier: Apache-2.0 */
/*
 * start_signal FILE [malloc|thread|child]: before anything is allocated SIGUSR1 has a
 * handler, which maps 77 pages; FILE holds how often it has (int, mapped
 * shared).  malloc: the first event is a call of that.  thread: two threads do what
 * the handler does, one of them 1,000 times; each may be the first.  child:
 * malloc of 5 bytes, and the two threads are those of a forked child.
 * (t3128)
 */
#define _GNU_SOURCE
#include <asm/prctl.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096
#define LOOPS 1000

static volatile int *mapped;
static volatile int ready, done;
static void *volatile kept;

static void map(int signal)
{
	(void)signal;
	if (mmap(NULL, 77 * PAGE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
		__atomic_fetch_add(mapped, 1, __ATOMIC_RELAXED);
}

static int run_thread(void *unused)
{
	(void)unused;
	ready = 1;
	for (int i = 0; i < LOOPS; i++)
		map(0);
	done = 1;
	return 0;
}

/* A thread whose storage is a copy of ours: pthread_create would allocate. */
static void begin_thread(void)
{
	static _Alignas(PAGE) char storage[2 * PAGE], stack[16 * PAGE];
	char *own, *its;

	syscall(SYS_arch_prctl, ARCH_GET_FS, &own);
	its = storage + (uintptr_t)own % PAGE;
	memcpy(storage, own - (uintptr_t)own % PAGE, PAGE);
	((char **)(void *)its)[0] = ((char **)(void *)its)[2] = its;
	clone(run_thread, stack + sizeof(stack),
	      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
		      CLONE_SYSVSEM | CLONE_SETTLS,
	      NULL, NULL, its);
}

/* No call here is an event but those at its end. */
static void begin(int argc, char **argv, char **env)
{
	struct sigaction act;
	long fd = argc > 1 ? syscall(SYS_open, argv[1], O_RDWR) : -1;

	(void)env;
	if (fd < 0)
		syscall(SYS_exit_group, 2);
	mapped = (int *)syscall(SYS_mmap, NULL, PAGE, PROT_READ | PROT_WRITE,
				MAP_SHARED, fd, 0);
	memset(&act, 0, sizeof(act));
	act.sa_handler = map;
	act.sa_flags = SA_RESTART;
	sigaction(SIGUSR1, &act, NULL);
	if (argc > 2 && strcmp(argv[2], "thread") == 0) {
		begin_thread();
		while (!ready)
			sched_yield();
		map(0);
	} else if (argc > 2 && strcmp(argv[2], "malloc") == 0) {
		kept = malloc(5);
	}
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(
	int, char **, char **) = begin;

/* WM_CHILDREN=1: the first event of either begins the child's trace. */
static void run_child(void)
{
	kept = malloc(5);
	if (fork()) {
		wait(NULL);
		return;
	}
	begin_thread();
	while (!ready)
		sched_yield();
	map(0);
	while (!done)
		sched_yield();
}

int main(int argc, char **argv)
{
	if (argc > 2 && strcmp(argv[2], "child") == 0)
		run_child();
	while (argc > 2 && strcmp(argv[2], "thread") == 0 && !done)
		sched_yield();
	return 0;
}
