/* SPDX-License-Identifier: Apache-2.0 */
/* mmap of 1 MiB, kept; then calls that fail and change nothing: munmap of more
 * than there can be, mmap without access over it of more than there can be and
 * of no file, and, while recording pauses, mremap.  Returns 0 if all of them
 * failed and the memory is there.
 * Used by t2000. */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <wm/wmtrace.h>

#define SIZE (1ul << 20)
#define TOO_LONG (SIZE_MAX - 8191)

int main(void)
{
	char *p = mmap(0, SIZE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int failed = munmap(p, TOO_LONG) == -1;

	failed += mmap(p, TOO_LONG, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		       0) == MAP_FAILED;
	failed += mmap(p, SIZE, PROT_NONE, MAP_PRIVATE | MAP_FIXED, -1, 0) ==
		  MAP_FAILED;
	wm_pause();
	failed += mremap(p, SIZE, TOO_LONG, MREMAP_MAYMOVE) == MAP_FAILED;
	wm_resume();
	p[SIZE - 1] = 1;
	return failed != 4;
}
