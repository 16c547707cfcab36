# SPDX-License-Identifier: Apache-2.0
# run: rest
# The runtime as clang compiles it, below the tests of what could harm a
# program: where a signal handler forks or leaves, it is the order of
# instructions that counts.
. "$(dirname "$0")/../lib.sh" clang
clang=$BUILD/test/clang

ok "the product builds with clang" made_by_clang all
ok "the objects give and want what they should" \
	"$SRC/scripts/check-symbols" "$clang/lib/wmtools"
for t in t2000-families t3010-harm t3100-handlers; do
	BUILD=$clang timeout 1700 bash "$SRC"/tests/*/"$t.sh" >log 2>err
	tap_result $? "$t, by clang: $(grep -c '^ok' log) tests"
	grep -A9 '^not ok' log | sed 's/^/# /'
	like "$t: a plan" "$(cat log)" '^1[.][.][0-9]+$'
done
done_testing
