/* SPDX-License-Identifier: Apache-2.0 */
/* Values that --cache and --line accept, and messages about the others. */
#include <string.h>

#include "analyze/lib/base/cache_shape.h"
#include "tests/unit/tap.h"

static void refuses(const char *text, const char *with)
{
	struct wm_cache_shape s;
	struct wm_err err = { "" };

	ok(wm_cache_shape_parse(&s, text, &err) == WM_USAGE &&
		   strstr(err.text, with),
	   "'%s' is refused: %s", text, err.text);
}

int main(void)
{
	struct wm_cache_shape s;
	struct wm_err err;
	uint32_t line;

	tap_plan(23);
	ok(!wm_cache_shape_parse(&s, "L1=32K/8/64,L2=1M/16,L3=36M/12/128",
				 &err) &&
		   s.levels == 3,
	   "three levels");
	ok(s.level[0].bytes == 32768 && s.level[0].ways == 8 &&
		   s.level[0].line == 64 && wm_cache_sets(&s.level[0]) == 64,
	   "the first");
	ok(s.level[1].bytes == 1 << 20 && s.level[1].line == 64,
	   "the second has the line of the first");
	ok(s.level[2].line == 128 && wm_cache_sets(&s.level[2]) == 24576,
	   "the third has its own, and sets that are no power of two");
	ok(!wm_cache_shape_parse(&s, "L1=1G/1/8", &err), "the largest");
	refuses("", "level 1 does not begin with L1=");
	refuses("32K/8", "level 1 does not begin with L1=");
	refuses("L1=32K/8,L3=1M/8", "level 2 does not begin with L2=");
	refuses("L1=32K/8,", "level 2 does not begin with L2=");
	refuses("L1=/8", "L1: its size");
	refuses("L1=2G/8", "L1: its size");
	refuses("L1=32K", "L1: its ways");
	refuses("L1=32K/0", "L1: its ways");
	refuses("L1=32K/65", "L1: its ways");
	refuses("L1=32K/8/63", "L1: its line");
	refuses("L1=32K/8/8K", "L1: its line");
	refuses("L1=32K/8/64/9", "L1: it has more");
	refuses("L1=32K/8/64/", "L1: it has more");
	refuses("L1=32K/7/64", "L1: its size is not a multiple");
	refuses("L1=32K/8/64,L2=1M/8/32", "L2: its line is smaller");
	refuses("L1=1K/2,L2=2K/2,L3=4K/2,L4=8K/2,L5=16K/2",
		"more than 4 levels");
	ok(!wm_line_parse(&line, "4K", &err) && line == 4096, "--line 4K");
	ok(wm_line_parse(&line, "48", &err) == WM_USAGE &&
		   strstr(err.text, "--line 48: not a power of two"),
	   "--line 48: %s", err.text);
	return tap_done();
}
