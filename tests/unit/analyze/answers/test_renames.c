/* SPDX-License-Identifier: Apache-2.0 */
/* Paths with the names of the second of two builds. */
#include "analyze/answers/compare/compare.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/tap.h"

static void becomes(const struct wm_renames *r, const char *path,
		    const char *want)
{
	char *got = wm_rename_path(r, path);

	ok(got && !strcmp(got, want), "'%s' becomes '%s'", path, want);
	free(got);
}

int main(void)
{
	struct wm_rename row[] = {
		{ (char[]){ "aa" }, (char[]){ "a_very_long_name" }, 2 },
		{ (char[]){ "b" }, (char[]){ "" }, 2 },
		/* of debug information, or a census, that is damaged */
		{ (char[]){ "" }, (char[]){ "nameless" }, 2 },
	};
	struct wm_renames r = { row, 3, 3 };

	tap_plan(6);
	becomes(&r, "", "");
	becomes(&r, "main", "main");
	becomes(&r, "main;aa;aaa;aa",
		"main;a_very_long_name;aaa;"
		"a_very_long_name");
	becomes(&r, "baa;b;b;main", "baa;;;main");
	becomes(&r, "main;;leaf", "main;nameless;leaf");
	becomes(&r, ";;;leaf", "nameless;nameless;nameless;leaf");
	return tap_done();
}
