/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pinned: memory that the kernel has pinned (a registered buffer of io_uring)
 * gets what is read into it, whatever came before: time for epochs, forks.
 * Status 77: there is no io_uring.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>

#include "say.h"

#define BYTES (1ul << 20)

static char *block;
static int file, ring;
static unsigned *tail, *mask, *array;
static struct io_uring_sqe *entries;

static int begin(void)
{
	struct io_uring_params p = { 0 };
	const int shared = MAP_SHARED | MAP_POPULATE;
	struct iovec v = { block, BYTES };
	char *sq;

	ring = (int)syscall(SYS_io_uring_setup, 8, &p);
	if (ring < 0)
		return 77;
	sq = mmap(NULL, p.sq_off.array + p.sq_entries * 4,
		  PROT_READ | PROT_WRITE, shared, ring, IORING_OFF_SQ_RING);
	entries = mmap(NULL, p.sq_entries * sizeof(*entries),
		       PROT_READ | PROT_WRITE, shared, ring, IORING_OFF_SQES);
	tail = (unsigned *)(void *)(sq + p.sq_off.tail);
	mask = (unsigned *)(void *)(sq + p.sq_off.ring_mask);
	array = (unsigned *)(void *)(sq + p.sq_off.array);
	return syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS, &v,
		       1) ?
		       77 :
		       0;
}

/* The file has @c everywhere; what of it is not in the block. */
static int read_in(int c)
{
	char *text = malloc(BYTES);
	unsigned i = *tail & *mask;
	int bad = 0;

	memset(text, c, BYTES);
	if (pwrite(file, text, BYTES, 0) != (ssize_t)BYTES)
		return -1;
	free(text);
	memset(&entries[i], 0, sizeof(*entries));
	entries[i].opcode = IORING_OP_READ_FIXED;
	entries[i].fd = file;
	entries[i].addr = (unsigned long)block;
	entries[i].len = BYTES;
	array[i] = i;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	/* none is taken away: those of before are there, too */
	syscall(SYS_io_uring_enter, ring, 1, *tail, IORING_ENTER_GETEVENTS, 0,
		0);
	for (size_t k = 0; k < BYTES; k += 64)
		bad += block[k] != c;
	return bad;
}

static void spin(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 10;
	volatile long sum = 0;

	while (clock() < end)
		for (size_t k = 0; k < BYTES; k += 64)
			sum += block[k];
}

static void step(const char *what, int c)
{
	spin();
	printf("%s: %d\n", what, read_in(c));
	fflush(stdout);
}

static void fork_once(void)
{
	int status = -1, pid = fork();

	if (pid == 0)
		_exit(block[5]);
	waitpid(pid, &status, 0);
	printf("child: %d\n", WEXITSTATUS(status));
}

int main(void)
{
	pthread_t t;

	block = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(block, 1, BYTES);
	file = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (begin())
		return 77;
	step("at first", 2);
	step("later", 3);
	fork_once();
	step("after a fork", 4);
	pthread_create(&t, NULL, stay, NULL);
	fork_once();
	step("after a fork beside a thread", 5);
	fork_once();
	step("after one more", 6);
	return 0;
}
