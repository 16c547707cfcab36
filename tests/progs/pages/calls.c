/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calls NAME: system calls that pages do not follow as they follow madvise;
 * what the program sees of its memory, which must be what it sees without
 * WM_PAGES.
 * 64 pages are mapped and written by main.  For t3311.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096ul
#define PAGES 64
#define MSEAL 462

static char *p;

static char *map_pages(unsigned n)
{
	return mmap(NULL, n * PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static long result(long r)
{
	return r == -1 ? -errno : r;
}

/* Print the state of the pages, and what a child sees of a later write. */
static void show(const char *name, long r)
{
	unsigned of[3] = { 0 };
	int status = 0;
	pid_t child;

	for (size_t i = 0; i < PAGES * PAGE; i++)
		of[p[i] == 5 ? 0 : p[i] == 0 ? 1 : 2]++;
	printf("%s %ld: %u written, %u zero, %u others\n", name, r, of[0],
	       of[1], of[2]);
	fflush(stdout);
	child = fork();
	if (!child) {
		usleep(1000);
		p[PAGE] = 7;
		_exit(p[2 * PAGE]);
	}
	p[2 * PAGE] = 9;
	waitpid(child, &status, 0);
	printf("the child %x, then %d %d\n", status, p[PAGE], p[2 * PAGE]);
}

static void advise_list(void)
{
	struct iovec part[] = { { p, 8 * PAGE }, { p + 16 * PAGE, 4 * PAGE } };
	int self = (int)syscall(434 /* pidfd_open */, getpid(), 0);

	show("by libc",
	     result(process_madvise(self, part, 2, MADV_DONTNEED, 0)));
	part[0].iov_base = p + 32 * PAGE;
	show("by number", result(syscall(440 /* process_madvise */, self, part,
					 1, MADV_DONTNEED, 0)));
	show("to be cold", result(process_madvise(self, part, 1, 20, 0)));
	show("nonsense",
	     result(process_madvise(self, (void *)PAGE, 1, MADV_DONTNEED, 0)));
	show("nobody", result(process_madvise(-1, part, 1, MADV_DONTNEED, 0)));
}

static _Atomic int stops;

/* It writes to sealed memory all the time. */
static void *count(void *at)
{
	volatile uint64_t *n = at;
	uint64_t mine = 0;

	while (!atomic_load(&stops)) {
		if (*n != mine)
			return NULL;
		*n = ++mine;
	}
	return at;
}

static void seal(void)
{
	char *many = map_pages(PAGES);
	pthread_t t;
	void *end;
	long r;

	memset(many, 0, PAGES * PAGE);
	pthread_create(&t, NULL, count, many + 3 * PAGE);
	usleep(20000);
	r = result(syscall(MSEAL, many, PAGES * PAGE, 0));
	usleep(20000);
	atomic_store(&stops, 1);
	pthread_join(t, &end);
	printf("others write to it: %ld, %s\n", r, end ? "right" : "wrong");
	show("a part", result(syscall(MSEAL, p, 16 * PAGE, 0)));
	printf("unmapped: %s\n", munmap(p, PAGE) ? "no" : "yes");
}

static void user_faults(void)
{
	int u = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register r = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	r.range.start = (uintptr_t)map_pages(16);
	r.range.len = 16 * PAGE;
	printf("api %ld\n", result(ioctl(u, UFFDIO_API, &api)));
	show("registered", result(ioctl(u, UFFDIO_REGISTER, &r)));
	close(u);
}

static void attach(void)
{
	int id = shmget(IPC_PRIVATE, 4 * PAGE, IPC_CREAT | 0600);
	char *q = shmat(id, p + 4 * PAGE, SHM_REMAP);

	shmctl(id, IPC_RMID, NULL);
	memset(q, 1, PAGE);
	show("attached", q == p + 4 * PAGE);
	madvise(q, PAGE, MADV_DONTNEED);
	show("and given back", 0);
}

static void map_over(void)
{
	long r = syscall(SYS_mmap, p + 4 * PAGE, 4 * PAGE,
			 PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	show("mapped over", r == (long)(p + 4 * PAGE));
	madvise(p + 8 * PAGE, PAGE, MADV_DONTNEED);
	show("and given back", 0);
}

static void ask_break(void)
{
	long now = syscall(SYS_brk, 0);

	show("the break", now > 0);
	show("as it is", syscall(SYS_brk, now) == now);
}

static void move_break(void)
{
	long now = syscall(SYS_brk, 0);

	show("the break, moved", syscall(SYS_brk, now + PAGE) - now);
}

static void remap_files(void)
{
	show("remapped", result(remap_file_pages(p, PAGE, 0, 3, 0)));
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*f)(void);
	} all[] = {
		{ "process_madvise", advise_list },
		{ "mseal", seal },
		{ "userfaultfd", user_faults },
		{ "shmat", attach },
		{ "mmap", map_over },
		{ "brk", ask_break },
		{ "break", move_break },
		{ "remap_file_pages", remap_files },
	};

	p = map_pages(PAGES);
	memset(p, 5, PAGES * PAGE);
	for (size_t i = 0; argc > 1 && i < sizeof(all) / sizeof(*all); i++)
		if (!strcmp(argv[1], all[i].name))
			all[i].f();
	return 0;
}
