#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Instructions that tracing adds to an event, counted by callgrind, against
# tests/bench/budget.txt.  The limits are for gcc.  About 20 s, 60 s when one
# is exceeded.
# run: alone rest
. "$(dirname "$0")/../lib.sh" valgrind python3
has_sanitizers && skip_all "built with sanitizers"

case $(uname -m) in
x86_64) ;;
*) skip_all "the limits are for x86_64, this is $(uname -m)" ;;
esac
read -r cc _ <"$BUILD/flags"
case $("$cc" --version 2>/dev/null | head -n 1) in
*clang*) skip_all "the limits are for gcc, this runtime was built by $cc" ;;
esac

budget=$SRC/tests/bench/budget
limits=$SRC/tests/bench/budget.txt

timeout 300 "$budget" --build "$BUILD" >out 2>err
is "the budget is kept" "$? $(cat err)" "0 "
while read -r path limit; do
	case $path in
	'' | '#'*) continue ;;
	esac
	line=$(grep "^$path " out | tr -s ' ')
	like "$path: at most $limit" "$line" "^$path [0-9]+ $limit( -?[0-9]+)+$"
done <"$limits"
sed 's/^/# /' out

echo "startup 100" >tight
"$budget" --build "$BUILD" --limits tight startup >out 2>err
is "a number above its limit: status" $? 1
like "a number above its limit: said" "$(cat out)" \
	'^startup +[0-9]+ +100( +[0-9]+)+ +OVER$'
"$budget" --build "$BUILD" --limits tight W1 >out 2>err
is "a path without limit: status" $? 1
is "a path without limit: said" "$(cat err)" "budget: no path or no limit: 'W1'"

done_testing
