/* apart [PAIRS]: mallocs a block and frees it, so often, below two functions
 * that are the same but 0x9970 bytes apart, and whose frames have another size
 * each time: the rows of their return addresses have one home (row_offset() of
 * unwind_walk.c; so are the lower bits of their addresses).  -fno-toplevel-reorder.  Default: 1,000,000 pairs. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <alloca.h>
#include <stdint.h>
#include <stdlib.h>

#define APART __attribute__((noinline, section(".text.apart")))

typedef void call(uint64_t);
static call *volatile next[2];
call outer, inner;

APART __attribute__((aligned(1 << 16))) void outer(uint64_t r)
{
	char *volatile room = alloca(r % 1024 * 16 + 16);

	next[0](r);
	*room = 0;
}

__asm__(".pushsection .text.apart, \"ax\"\n"
	".org outer + 0x9970\n"
	".popsection");

APART void inner(uint64_t r)
{
	char *volatile room = alloca(r % 1024 * 16 + 16);

	next[1](r);
	*room = 0;
}

static void leaf(uint64_t r)
{
	void *volatile p = malloc(r % 100 + 16);

	free(p);
}

int main(int argc, char **argv)
{
	uint64_t pairs = argc > 1 ? strtoull(argv[1], NULL, 0) : 1000000;
	uint64_t seed = 88172645463325252u;

	next[0] = inner;
	next[1] = leaf;
	for (uint64_t i = 0; i < pairs; i++) {
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		outer(seed >> 8);
	}
	return 0;
}
