/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ends while a thread's munmap() of one of two mappings of 1 MiB has not
 * returned.  With -DLIBRARY: the munmap() below it, which never returns for
 * that mapping.  For t2000.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BYTES (1 << 20)

#ifdef LIBRARY
_Atomic(void *) kept;
atomic_int waits;

int munmap(void *addr, size_t len)
{
	if (addr != atomic_load(&kept))
		return (int)syscall(SYS_munmap, addr, len);
	atomic_store(&waits, 1);
	for (;;)
		pause();
}
#else
extern _Atomic(void *) kept;
extern atomic_int waits;

static void *map(void)
{
	return mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void *unmap(void *p)
{
	munmap(map(), BYTES);
	munmap(p, BYTES);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	void *p = map();

	atomic_store(&kept, p);
	if (pthread_create(&thread, NULL, unmap, p))
		return 1;
	while (!atomic_load(&waits))
		usleep(1000);
	exit(0);
}
#endif
