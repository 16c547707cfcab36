# SPDX-License-Identifier: Apache-2.0
# run: long
# The fuzz targets on their seeds, and on a few changed copies of each, without
# libFuzzer: built with sanitizers by gcc, and by clang if it is there.  This
# does for seconds what `make fuzz` does for hours.
. "$(dirname "$0")/../lib.sh" analyze-lib

copies=1
[ -n "${WM_LONG:-}" ] && copies=10
ok "seeds are made from text" "$SRC/tests/fuzz/seeds" seeds
units="archive inner linkmap"
targets=$(sed -n '/^FUZZ_TARGETS := /{:a;/\\$/{N;s/\\\n//;ba};s/.*:= //p}' \
	"$SRC/tests/fuzz/fuzz.mk")
export WM_FUZZ_RUNS=$W/seeds/runs TMPDIR=$W
export ASAN_OPTIONS=allocator_may_return_null=1 UBSAN_OPTIONS=halt_on_error=1

# replay COMPILER FOLDER COPIES: each target
replay() {
	local t n
	for t in $targets; do
		n=$(($(ls "seeds/$t" | wc -l) * (1 + $3)))
		timeout 300 "$2/fuzz/fuzz-$t" -n "$3" "seeds/$t" >out 2>err
		is "$1, $t: status" "$?" 0
		like "$1, $t: all $n inputs" "$(cat out)" "^$n inputs"
		# also of processes that the target starts
		grep -A20 -e 'ERROR: ' -e 'runtime error' err >complaints
		is "$1, $t: no complaint" "$(head -25 complaints)" ""
	done
	for t in $units; do
		ok "$1, test_$t" timeout 300 "$2/test/test_$t"
	done
}

# make_all COMPILER FOLDER
make_all() {
	make_sanitized "$1" fuzz-targets $(printf "$2/test/test_%s " $units)
}

has_sanitizers() { # COMPILER
	echo 'int main(void) { return 0; }' | "$1" \
		-fsanitize=address,undefined -x c -o probe - 2>/dev/null
}
if has_sanitizers gcc; then
	ok "targets, built with sanitizers" make_all "" "$BUILD/test/san"
	replay gcc "$BUILD/test/san" $copies
else
	skip "targets, built by gcc" "gcc has no sanitizers (libasan)"
fi
if ! command -v clang >/dev/null; then
	skip "targets, built by clang" "no clang"
elif has_sanitizers clang; then
	ok "targets, built by clang" make_all clang "$BUILD/test/san-clang"
	replay clang "$BUILD/test/san-clang" 0
else
	skip "targets, built by clang" \
		"clang has no sanitizers (libclang-rt-14-dev)"
fi

# The seeds get to blocks that were joined.
is "a seed has joined blocks" "$(python3 - \
	seeds/made/large-packed.wm/rank-000000.wmt.xz <<'E'
import lzma, sys
data, joined = open(sys.argv[1], "rb").read(), 0
while data:
    d = lzma.LZMADecompressor(lzma.FORMAT_XZ)
    head, data = d.decompress(data), d.unused_data
    joined += head[6] == 6
print(joined > 0)
E
)" True

# It fails when an input does.
not_ok "an input that cannot be read" \
	"$BUILD/test/san/fuzz/fuzz-ranks" no-such-file
done_testing
