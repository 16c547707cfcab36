/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as people write them. */
#include "analyze/lib/base/units.h"

#include <string.h>

#include "tests/unit/tap.h"

static void takes(const char *text, double want, const char *rest)
{
	const char *at = text;
	double v = wm_take_number(&at);

	ok(v == want && strcmp(at, rest) == 0, "'%s' begins with %g", text,
	   want);
}

static void lasts(double seconds, const char *want)
{
	struct wm_figure b;

	ok(strcmp(wm_duration(&b, seconds), want) == 0, "%g s are %s, not %s",
	   seconds, want, b.s);
}

int main(void)
{
	tap_plan(8 + 9);
	lasts(0, "0 ns");
	lasts(99e-9, "99 ns");
	lasts(4.1e-6, "4.1 us");
	lasts(0.2634, "263 ms");
	lasts(0.99999, "1.0 s");
	lasts(59, "59.0 s");
	lasts(150, "2.5 min");
	lasts(3600, "1.0 h");
	lasts(1e6, "278 h");
	takes("10x20", 10, "x20");
	takes("0.5", 0.5, "");
	takes("2.5e-7,", 2.5e-7, ",");
	takes("1e+6", 1e6, "");
	takes("0x10", 0, "0x10");
	takes("5-3", 0, "5-3");
	takes("1e19", 0, "1e19");
	takes("inf", 0, "inf");
	return tap_done();
}
