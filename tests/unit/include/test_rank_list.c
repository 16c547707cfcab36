/* SPDX-License-Identifier: Apache-2.0 */
#include "input/rank_list.h"

#include "tests/unit/tap.h"

static int has(const char *list, uint64_t rank)
{
	uint64_t lowest;

	return wm_rank_list_check(list, &lowest) ?
		       wm_rank_list_has(list, rank) :
		       -1;
}

static int lowest_is(const char *list, uint64_t want)
{
	uint64_t lowest;

	return wm_rank_list_check(list, &lowest) && lowest == want;
}

int main(void)
{
	/* clang-format off */
	static const char *const bad[] = {
		"", ",", "1,", ",1", "1,,2", "a", "1a", "-1", "1-", "2-1",
		"1-2:0", "1-2:", "1:2", "1-2-3", " 1", "1 ", "1, 2", "0x1",
		"1073741825", "18446744073709551616", "0-1073741825", "1.5",
	};
	/* clang-format on */
	uint64_t lowest;

	tap_plan(31);
	ok(has("0", 0) == 1 && has("0", 1) == 0, "one rank");
	ok(has("0,7,100-199", 7) == 1 && has("0,7,100-199", 100) == 1 &&
		   has("0,7,100-199", 199) == 1,
	   "ranks of a list");
	ok(has("0,7,100-199", 1) == 0 && has("0,7,100-199", 99) == 0 &&
		   has("0,7,100-199", 200) == 0,
	   "no ranks of it");
	ok(has("0-4095:64", 64) == 1 && has("0-4095:64", 4032) == 1 &&
		   has("0-4095:64", 63) == 0 && has("0-4095:64", 4096) == 0,
	   "steps");
	ok(has("3-9:4", 3) == 1 && has("3-9:4", 7) == 1 && has("3-9:4", 9) == 0,
	   "steps count from the first");
	ok(has("5-5", 5) == 1, "a range of one");
	ok(has("1073741824", 1073741824) == 1, "the highest number");
	ok(has("0007", 7) == 1, "leading zeros");
	ok(lowest_is("9,3-5,4", 3), "the lowest rank");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ok(!wm_rank_list_check(bad[i], &lowest), "refused: '%s'",
		   bad[i]);
	return tap_done();
}
