/* SPDX-License-Identifier: Apache-2.0 */
/* mmap of 1 MiB and a break 4096 up, kept; then calls that fail and change
 * nothing: munmap of more than there can be and of more than the kernel has,
 * mmap without access over it of more than there can be, of no file and of one
 * that can only be written, munmap of its middle when there are as many
 * mappings as there may be ("many" on stdout if there may be more than 200,000)
 * and, while recording pauses, mremap, which also gets wrong arguments; and
 * breaks far below the heap, which say that they do not fail.  Returns 0 if all
 * that is so and the memory is there.
 * Used by t2000. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wm/wmtrace.h>

#define SIZE (1ul << 20)
#define TOO_LONG (SIZE_MAX - 8191)
#define TOO_HIGH (1ul << 56) /* no user's on any processor */
#define LOW 4096
#define MANY 200000ul

/* Unmap the middle of @p, with as many mappings as there may be. */
static int one_too_many(char *p)
{
	char *many = mmap(0, MANY * 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size_t i = 0;
	int r;

	while (i < MANY && !mprotect(many + i * 4096, 4096, PROT_READ))
		i += 2;
	if (i >= MANY)
		puts("many");
	r = i >= MANY || (munmap(p + 8192, 4096) == -1 && errno == ENOMEM);
	return munmap(many, MANY * 4096) == 0 && r;
}

int main(void)
{
	char *p = mmap(0, SIZE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *end = (char *)sbrk(4096) + 4096;
	int failed = munmap(p, TOO_LONG) == -1;

	failed += munmap(p, TOO_HIGH - (uintptr_t)p) == -1;
	failed += mmap(p, TOO_LONG, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		       0) == MAP_FAILED;
	failed += mmap(p, SIZE, PROT_NONE, MAP_PRIVATE | MAP_FIXED, -1, 0) ==
		  MAP_FAILED;
	failed += mmap(p, SIZE, PROT_NONE, MAP_PRIVATE | MAP_FIXED,
		       open("/dev/null", O_WRONLY), 0) == MAP_FAILED;
	failed += one_too_many(p);
	wm_pause();
	failed += mremap(p, SIZE, TOO_LONG, MREMAP_MAYMOVE) == MAP_FAILED;
	wm_resume();
	failed += mremap(p, SIZE, 2 * SIZE, 1 << 20) == MAP_FAILED;
	failed += mremap(p, SIZE, 0, MREMAP_MAYMOVE) == MAP_FAILED;
	failed += mremap(p + 1, SIZE, 2 * SIZE, MREMAP_MAYMOVE) == MAP_FAILED;
	if (brk((char *)LOW) || sbrk(LOW - (intptr_t)end) == (void *)-1 ||
	    sbrk(0) != end)
		return 1;
	p[SIZE - 1] = end[-1] = 1;
	return failed != 10;
}
