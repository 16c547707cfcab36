/* SPDX-License-Identifier: Apache-2.0 */
/* Calls each function that -DHAVE_NAME names, once or twice, and prints what
 * can be seen of its result: of the same functions the same text.  Allocates
 * 10 + 40 + 99 bytes and 4 x 7, then 1000 bytes by each aligned function. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

void cfree(void *p);
void free_sized(void *p, size_t n);
void free_aligned_sized(void *p, size_t align, size_t n);
void *reallocarray(void *p, size_t n, size_t size);
void *valloc(size_t n);
void *pvalloc(size_t n);

static void aligned(const char *name, int r, char *p, size_t align)
{
	printf("%s %d %d aligned %d", name, r, p != NULL,
	       ((uintptr_t)p & (align - 1)) == 0);
	if (p) {
		memset(p, 'x', 1000);
		printf(" %c", p[999]);
	}
	putchar('\n');
}

static void heap(void)
{
	char *volatile p = malloc(10);
	int zero = 0;

	strcpy(p, "malloc");
	puts(p);
#ifdef HAVE_realloc
	p = realloc(p, 99);
	printf("realloc %s\n", p);
#endif
#ifdef HAVE_reallocarray
	p = reallocarray(p, 4, 7);
	printf("reallocarray %s %d\n", p,
	       reallocarray(NULL, SIZE_MAX / 2, 3) == NULL);
#endif
#ifdef HAVE_free
	free(p);
	free(NULL);
#endif
#ifdef HAVE_calloc
	p = calloc(4, 10);
	for (int i = 0; i < 40; i++)
		zero |= p[i];
	printf("calloc %d\n", zero);
#endif
#ifdef HAVE_cfree
	cfree(p);
#endif
#ifdef HAVE_free_sized
	free_sized(malloc(10), 10);
	puts("free_sized");
#endif
}

static void all_aligned(void)
{
#ifdef HAVE_posix_memalign
	void *out = NULL;
	int r = posix_memalign(&out, 256, 1000);

	aligned("posix_memalign", r, out, 256);
	printf("posix_memalign of 3: %d\n", posix_memalign(&out, 3, 10));
#endif
#ifdef HAVE_aligned_alloc
	aligned("aligned_alloc", 0, aligned_alloc(128, 1024), 128);
#endif
#ifdef HAVE_memalign
	aligned("memalign", 0, memalign(512, 1000), 512);
#endif
#ifdef HAVE_valloc
	aligned("valloc", 0, valloc(1000), 4096);
#endif
#ifdef HAVE_pvalloc
	aligned("pvalloc", 0, pvalloc(1000), 4096);
#endif
#ifdef HAVE_free_aligned_sized
	free_aligned_sized(aligned_alloc(64, 128), 64, 128);
	puts("free_aligned_sized");
#endif
}

static void mappings(void)
{
#ifdef HAVE_mmap
	char *volatile p = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE |
				MAP_ANONYMOUS, -1, 0);

	printf("mmap %d\n", p != MAP_FAILED);
#ifdef HAVE_mprotect
	printf("mprotect %d", mprotect(p, 8192, PROT_READ | PROT_WRITE));
	p[8191] = 'm';
	printf(" %c\n", p[8191]);
#endif
#ifdef HAVE_mremap
	p = mremap(p, 8192, 1 << 20, MREMAP_MAYMOVE);
	printf("mremap %d %c\n", p != MAP_FAILED, p[8191]);
#endif
#ifdef HAVE_munmap
	printf("munmap %d\n", munmap(p, 4096));
#endif
#endif
#ifdef HAVE_mmap64
	printf("mmap64 %d\n", mmap64(NULL, 4096, PROT_READ, MAP_PRIVATE |
				     MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
#endif
#ifdef HAVE_sbrk
	printf("sbrk %d\n", sbrk(0) != (void *)-1);
#endif
#ifdef HAVE_brk
	printf("brk %d\n", brk(NULL) != 0);
#endif
#if defined(HAVE_shmat) && defined(HAVE_shmdt)
	int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
	void *s = shmat(id, NULL, 0);

	printf("shmat %d\n", s != (void *)-1);
	printf("shmdt %d\n", shmdt(s));
	shmctl(id, IPC_RMID, NULL);
#endif
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	heap();
	all_aligned();
	mappings();
#ifdef HAVE_daemon
	if (getpid() == 1)
		daemon(1, 1);
#endif
#ifdef HAVE__Exit
	if (getppid() == 1)
		_Exit(0);
#endif
#ifdef HAVE__exit
	_exit(0);
#endif
	return 0;
}
