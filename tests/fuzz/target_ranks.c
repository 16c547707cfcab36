/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of ranks (WM_RANKS): text; what is in a list is held against a walk
 * over its ranges. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "input/rank_list.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

/* Whether @rank is one of @r, by counting. */
static int counted(const struct wm_rank_range *r, uint64_t rank)
{
	uint64_t at = r->first;

	while (at < rank && r->last - at >= r->step)
		at += r->step;
	return at == rank;
}

/* Ranks about the beginning of @r, which is one of @list alone. */
static void check_range(const char *list, const struct wm_rank_range *r,
			int alone)
{
	uint64_t rank = r->first ? r->first - 1 : 0;

	for (; rank <= r->last + 1 && rank < r->first + 20; rank++) {
		int in = rank >= r->first && rank <= r->last &&
			 counted(r, rank);

		if ((in || alone) && in != wm_rank_list_has(list, rank))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *list = strndup((const char *)data, size);
	struct wm_rank_range r;
	uint64_t lowest;
	const char *p;

	if (!list)
		return -1;
	if (wm_rank_list_check(list, &lowest)) {
		if (!wm_rank_list_has(list, lowest) ||
		    (lowest && wm_rank_list_has(list, lowest - 1)) ||
		    wm_rank_list_has(list, WM_RANK_LIST_TOP + 1))
			abort();
		for (p = list; p && *p;) {
			p = wm_rank_list_next(p, &r);
			if (!p || r.first > r.last || !r.step)
				abort();
			check_range(list, &r, !strchr(list, ','));
		}
	}
	free(list);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
			       unsigned seed)
{
	static const char word[] = "0123456789,-:,-:00011";
	size_t at;

	fuzz_seed(seed);
	if (!fuzz_below(4) || !size)
		return LLVMFuzzerMutate(data, size, room);
	at = fuzz_below(size);
	if (fuzz_below(2) && size < room) {
		memmove(data + at + 1, data + at, size - at);
		size++;
	}
	data[at] = (uint8_t)word[fuzz_below(sizeof(word) - 1)];
	return size;
}
