/* SPDX-License-Identifier: Apache-2.0 */
/* The table of strings of a bundle that is being made. */
#include "wmcc/census/census_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/tap.h"

int main(void)
{
	struct wm_strings st = { 0 };
	char text[32];
	uint32_t i, bad = 0;

	tap_plan(2);
	for (i = 0; i < 20000; i++) {
		snprintf(text, sizeof(text), "string %u", i);
		bad += wm_strings_add(&st, text) != i + 1;
	}
	for (i = 0; i < 20000; i++) {
		snprintf(text, sizeof(text), "string %u", i);
		bad += wm_strings_add(&st, text) != i + 1;
		bad += wm_strings_find(&st, text) != i + 1;
		bad += strcmp(wm_strings_get(&st, i + 1), text) != 0;
	}
	ok(!bad && st.count == 20000, "20000 strings, each once");
	ok(!wm_strings_add(&st, NULL) && !wm_strings_add(&st, "") &&
		   !wm_strings_get(&st, 0) && !wm_strings_get(&st, 20001) &&
		   !wm_strings_find(&st, "nobody"),
	   "no string is 0");
	free(st.text);
	free(st.starts);
	free(st.slots);
	return tap_done();
}
