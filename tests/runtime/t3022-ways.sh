# SPDX-License-Identifier: Apache-2.0
# Thousands of call paths that change from call to call, few at a time or many,
# with and without frame pointers: each block has the path that its size tells.
# Unlike WM_UNWIND=check (t3020) this goes through the paths of late.
. "$(dirname "$0")/../lib.sh" python3

# follow COMPILER EVENTS FLAGS...
follow() {
	local compiler=$1 events=$2 seed
	shift 2
	WM_CC=$compiler wmcc "$@" -fno-builtin -pthread -o ways \
		"$progs/runtime/ways.c"
	for seed in 1 $(long_or "2 3 4" ""); do
		rm -rf run
		WM_DIR=run ./ways.wm "$seed" "$events" wanted
		is "$compiler $*, $seed: each path is the one of its size" \
			"$("$dump" run/*/rank-000000.wmt.xz |
				"$SRC/tests/tools/ways-check" wanted "$events" |
				sed 's/.* paths, //')" "0 wrong"
	done
}

for flags in "-O2 -static" "-O0 -static" "-O2 -fno-omit-frame-pointer -static" \
	$(long_or "-O1" "") $(long_or "-O3" ""); do
	follow gcc "$(long_or 60000 20000)" $flags
done
if command -v clang >/dev/null; then
	follow clang "$(long_or 60000 20000)" -O2 -static
else
	skip "by clang" "package clang is missing"
fi
done_testing
