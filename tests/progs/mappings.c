/* Calls, when run without argument: mmap 8 (anonymous 40960; a file 8192; one
 * in a PROT_NONE place, MAP_FIXED 4096 of 32768; shm_open 16384 and memfd
 * 4096, both shared: SHM; one that fails; the place itself is no event, and
 * PROT_NONE over the anonymous one's last 8192 is an unmap), mprotect that
 * opens 8192 of the place (MAP), munmap 7 (4096 of the anonymous one, then
 * its rest, file, place, both shared ones, and one that fails), mremap 3 (the
 * file's 8192 to 16384, that to 4096, a wrong one: no event), sbrk 3 (up 100, down
 * 40, and 0: no event), brk 2 (up 4096, down 4096), shmat 1 (5000) and shmdt 1.
 * Unfreed: 60 bytes of break.  Nothing else. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RW (PROT_READ | PROT_WRITE)
#define ANON (MAP_PRIVATE | MAP_ANONYMOUS)

static char *map(void *at, size_t n, int prot, int flags, int fd)
{
	char *p = mmap(at, n, prot, flags, fd, 0);

	if (p == MAP_FAILED)
		_exit(10);
	if (prot != PROT_NONE)
		p[0] = 1;
	return p;
}

static int files(void)
{
	char name[64];
	int fd, r = 0;
	char *p;

	snprintf(name, sizeof(name), "mappings.%d", (int)getpid());
	fd = open(name, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, 16384) || unlink(name))
		return 1;
	p = map(NULL, 8192, RW, MAP_SHARED, fd);
	p = mremap(p, 8192, 16384, MREMAP_MAYMOVE);
	if (p == MAP_FAILED || mremap(p, 16384, 4096, 0) != p)
		r = 2;
	errno = 0;
	if (mremap(p + 1, 4096, 8192, 0) != MAP_FAILED || errno != EINVAL)
		r = 3;
	if (munmap(p, 1))
		r = 4;
	close(fd);
	return r;
}

static int shared(void)
{
	char name[64];
	int fd, id, memfd = (int)syscall(SYS_memfd_create, "wm", 0);
	char *p, *q, *s;

	snprintf(name, sizeof(name), "/wm-mappings.%d", (int)getpid());
	fd = shm_open(name, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || memfd < 0 || ftruncate(fd, 16384) ||
	    ftruncate(memfd, 4096) || shm_unlink(name))
		return 21;
	p = map(NULL, 16384, RW, MAP_SHARED, fd);
	q = map(NULL, 4096, RW, MAP_SHARED, memfd);
	id = shmget(IPC_PRIVATE, 5000, 0600);
	errno = 77;
	s = shmat(id, NULL, 0);
	if (id < 0 || s == (void *)-1 || errno != 77)
		return 22;
	shmctl(id, IPC_RMID, NULL);
	s[4999] = 1;
	return munmap(p, 16384) || munmap(q, 4096) || shmdt(s) ? 23 : 0;
}

static int breaks(void)
{
	char *a = sbrk(0), *b = sbrk(100), *c;

	if (a != b || sbrk(-40) != a + 100)
		return 31;
	c = sbrk(0);
	if (c != a + 60 || brk(c + 4096))
		return 32;
	c[4095] = 1;
	return brk(c) || sbrk(0) != c ? 33 : 0;
}

int main(void)
{
	char *a = map(NULL, 40000, RW, ANON, -1), *place;
	int r;

	errno = 0;
	if (mmap(NULL, 0, RW, ANON, -1, 0) != MAP_FAILED || errno != EINVAL)
		return 1;
	/* 40960 in whole pages: a page in the middle, the end, the rest */
	if (munmap(a + 8192, 4096))
		return 2;
	map(a + 32768, 8192, PROT_NONE, ANON | MAP_FIXED, -1);
	if (munmap(a, 40960))
		return 3;
	errno = 0;
	if (munmap(a + 1, 4096) != -1 || errno != EINVAL)
		return 4;
	place = map(NULL, 32768, PROT_NONE, ANON, -1);
	map(place, 4096, RW, ANON | MAP_FIXED, -1);
	if (mprotect(place + 4096, 4096, RW) ||
	    mprotect(place, 12288, RW) || mprotect(place, 4096, PROT_READ))
		return 5;
	place[12287] = 1;
	if (munmap(place, 32768))
		return 6;
	r = files();
	if (!r)
		r = shared();
	return r ? r : breaks();
}
