# SPDX-License-Identifier: Apache-2.0
# What looks for mistakes finds none (`make lint`), and can find some.
# run: rest
. "$(dirname "$0")/../lib.sh"
for tool in cppcheck clang-tidy shellcheck mandoc; do
	command -v "$tool" >/dev/null || skip_all "$tool is missing: scripts/setup"
done
cd "$SRC" || exit 1

# lint PART VARIABLE=VALUE...: with what the build has
lint() {
	product_make -j"$(nproc)" "lint-$1" "${@:2}"
}
for part in cppcheck tidy shell man; do
	ok "$part finds nothing" lint "$part"
done

# Each is shown a mistake.
cat >"$W/late.c" <<'C'
#include <stdlib.h>
#include <string.h>
int wm_late(const char *a);
int wm_late(const char *a)
{
	int *p = malloc(4), n[2];

	n[0] = 0;
	n[1] = 0;
	if (strcmp(a, "x"))
		return n[2];
	return *p;
}
C
like "cppcheck sees an index that is too high" \
	"$(lint cppcheck lint_C="$W/late.c" 2>&1)" 'late.c:11:.*arrayIndexOutOfBounds'
printf 'int wm_path(const int *a, int n);\nint wm_path(const int *a, int n)\n{
	int i, used = 0;\n\n	for (i = 0; i < n; i++)\n		if (a[i] > 3)
			used++;\n	return n / used;\n}\n' >"$W/path.c"
like "clang-tidy's analyzer sees a path that divides by zero" \
	"$(lint tidy lint_C="$W/path.c" 2>&1)" 'path.c:9:.*DivideZero'
like "clang-tidy sees a comparison that is none" \
	"$(lint tidy lint_C="$W/late.c" 2>&1)" 'late.c:10:.*suspicious-string-compare'
printf '#!/bin/bash\ncd /nowhere\nrm -rf $x/*\n' >"$W/late.sh"
like "shellcheck sees a cd that may fail" \
	"$(lint shell lint_SHELL="$W/late.sh" lint_TESTS= 2>&1)" 'SC2164'
printf '.TH LATE 1\n.SH\n' >"$W/late.1"
like "mandoc sees a page without a date" \
	"$(lint man lint_MAN="$W/late.1" 2>&1)" 'missing date'
done_testing
