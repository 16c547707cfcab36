/* SPDX-License-Identifier: Apache-2.0 */
#include "input/switch.h"

#include "tests/unit/tap.h"

int main(void)
{
	static const char *const on[] = { "1", "on", "yes", "true", "ON" };
	static const char *const off[] = { "0", "off", "no", "false", "No" };
	static const char *const neither[] = {
		"",   "2",  "00", "10",	   "o",	  "onn",
		"of", "-1", "y",  "maybe", " on",
	};

	tap_plan(21);
	for (size_t i = 0; i < sizeof(on) / sizeof(*on); i++)
		ok(wm_switch(on[i]) == 1, "%s is on", on[i]);
	for (size_t i = 0; i < sizeof(off) / sizeof(*off); i++)
		ok(wm_switch(off[i]) == 0, "%s is off", off[i]);
	for (size_t i = 0; i < sizeof(neither) / sizeof(*neither); i++)
		ok(wm_switch(neither[i]) == -1, "'%s' is neither", neither[i]);
	return tap_done();
}
