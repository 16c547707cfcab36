/* SPDX-License-Identifier: Apache-2.0 */
/*
 * painted FILE: prints how many bytes of the stack in FILE were touched.
 * painted FILE WHAT: does WHAT on that stack, which is painted before, lies in
 * FILE (mapped shared, 64 KiB) and so can be looked at whatever becomes of the
 * process.  WHATs are in the table at the end.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <wm/wmtrace.h>

#define SIZE 65536
#define PAINT 0xa5

static unsigned char *stack;
static ucontext_t outside, inside;
static void *volatile block, *volatile other;

static void paint(void)
{
	memset(stack, PAINT, SIZE);
}

static void on_painted(void (*f)(void))
{
	getcontext(&inside);
	inside.uc_stack.ss_sp = stack;
	inside.uc_stack.ss_size = SIZE;
	inside.uc_link = &outside;
	makecontext(&inside, f, 0);
	swapcontext(&outside, &inside);
}

static __attribute__((noinline)) void *get(size_t n)
{
	void *volatile p = malloc(n);

	return p;
}

/* A frame whose place depends on a variable has a frame pointer. */
static __attribute__((noinline)) void *get_below(size_t n)
{
	volatile char room[n % 64 + 1];
	void *p;

	room[0] = 1;
	p = get(n + (size_t)room[0]);
	return p;
}

static void pair(void)
{
	block = get(100);
	free(block);
}

static void pairs(void)
{
	for (size_t i = 0; i < 2000; i++) {
		block = get_below(i % 300);
		free(block);
		pair();
	}
}

static void release(void)
{
	free(block);
}

static void heap(void)
{
	void *p = calloc(3, 5);

	p = realloc(p, 100);
	p = realloc(p, 100000);
	free(p);
	p = memalign(64, 100);
	free(p);
	if (posix_memalign(&p, 64, 100) == 0)
		free(p);
	free(aligned_alloc(64, 128));
}

/* The allocator asks the system for more. */
static void large(void)
{
	void *volatile p = malloc(1 << 17), *volatile q = malloc(1 << 24);

	free(q);
	free(p);
}

static void map(void)
{
	char *p = mmap(NULL, 65536, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	p = mremap(p, 65536, 131072, MREMAP_MAYMOVE);
	munmap(p, 131072);
	p = mmap(NULL, 65536, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(p, 4096, PROT_READ | PROT_WRITE);
	munmap(p, 65536);
}

static void map_shared(void)
{
	int fd = memfd_create("painted", 0), id;
	void *p;

	if (fd >= 0 && ftruncate(fd, 4096) == 0) {
		p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
		munmap(p, 4096);
	}
	id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
	if (id >= 0) {
		p = shmat(id, NULL, 0);
		shmctl(id, IPC_RMID, NULL);
		shmdt(p);
	}
}

static void grow_break(void)
{
	sbrk(4096);
	sbrk(-4096);
}

static void say(void)
{
	wm_phase("first");
	wm_name(stack, "a name");
	wm_pause();
	wm_resume();
	wm_snapshot("shot");
}

static void end_(void)
{
	_exit(0);
}

static void end(void)
{
	exit(0);
}

static void *nothing(void *arg)
{
	return arg;
}

static void create(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, nothing, NULL) == 0)
		pthread_join(t, NULL);
}

/* ---- who comes to the painted stack, and when ---- */

static void first(void (*f)(void))
{
	on_painted(f);
}

/* The same again: nothing is new. */
static void again(void (*f)(void))
{
	on_painted(f);
	on_painted(f);
	paint();
	on_painted(f);
}

static void *in_thread(void *f)
{
	on_painted(*(void (**)(void))f);
	return NULL;
}

static void thread(void (*f)(void))
{
	pthread_t t;

	block = get(10);
	pthread_create(&t, NULL, in_thread, &f);
	pthread_join(t, NULL);
}

static void child(void (*f)(void))
{
	int pid;

	pair();
	pid = fork();
	if (pid == 0) {
		on_painted(f);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static const struct {
	const char *name;
	void (*who)(void (*)(void));
	void (*what)(void);
} table[] = {
	{ "pair-first", first, pair },
	{ "pair-again", again, pair },
	{ "pairs", first, pairs },
	{ "pairs-again", again, pairs },
	{ "heap", first, heap },
	{ "heap-again", again, heap },
	{ "large", first, large },
	{ "map", first, map },
	{ "map-again", again, map },
	{ "map-shared", first, map_shared },
	{ "break", first, grow_break },
	{ "say", first, say },
	{ "say-again", again, say },
	{ "create-thread", first, create },
	{ "create-thread-again", again, create },
	{ "thread-alloc", thread, pair },
	{ "thread-free", thread, release },
	{ "child-alloc", child, pair },
	{ "child-exit", child, end_ },
	{ "_exit", first, end_ },
	{ "exit", first, end },
};
#define COUNT (sizeof(table) / sizeof(*table))

static int look(void)
{
	int n = 0;

	while (n < SIZE && stack[n] == PAINT)
		n++;
	printf("%d\n", SIZE - n);
	return n == 0;
}

int main(int argc, char **argv)
{
	int fd = open(argv[1], O_RDWR | O_CREAT, 0600);

	if (argc < 2 || fd < 0 || ftruncate(fd, SIZE))
		return 1;
	stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (stack == MAP_FAILED)
		return 1;
	if (argc == 2)
		return look();
	paint();
	for (size_t i = 0; i < COUNT; i++) {
		if (strcmp(argv[2], table[i].name) == 0) {
			table[i].who(table[i].what);
			return 0;
		}
	}
	if (strcmp(argv[2], "list") == 0)
		for (size_t i = 0; i < COUNT; i++)
			puts(table[i].name);
	return strcmp(argv[2], "list") != 0;
}
