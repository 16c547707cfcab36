# SPDX-License-Identifier: Apache-2.0
# --model: of predictions of jobs whose need is known, 9 in 10 lie in their
# intervals, which are narrow: of programs by which the model's numbers were
# chosen, and of those that are held out (docs/model.md has the figures).
. "$(dirname "$0")/../lib.sh" analyze-lib

"$SRC/tests/tools/model-corpus" "$MAKE_RUN" "$W/corpus" -v >out 2>err ||
	sed 's/^/# /' err
grep MISSED out | sed 's/^/# /'
for half in "chosen by" "held out"; do
	read -r count _ inside _ width _ _ _ open _ none _ <<<"$(sed -n "s/^$half: //p" out |
		tr -d ,:)"
	ok "$half: 100 predictions or more: ${count:-none}, $none refused" \
		test "$((${count:-0} + ${none:-0}))" -ge 100
	ok "$half: one in twenty is refused at most" \
		test "$((${none:-999} * 20))" -le "${count:-0}"
	ok "$half: in their intervals: ${inside:-none}" \
		test "$((${inside:-0} * 10))" -ge "$((${count:-1} * 9))"
	ok "$half: the median width is below 4 %: +-$width %" \
		test "${width%.*}" -lt 4
	ok "$half: three in four have a figure: ${open:-none} have not" \
		test "$((${open:-999} * 4))" -le "${count:-1}"
done
like "a gather on rank 0 from 1, 2, 4 and 8 ranks: 1,024 within 5 %" "$(cat out)" \
	'^gather .* 1024 .*  [+-][0-4]\.[0-9]+ %.*%  $'
is "a stencil from 1, 2, 4: 8 ranks below 1 %" \
	"$(grep -E '^(plane|box|strip) .*1,2,4 +8 .* [+-]0\.[0-9]+ %' out | grep -c .)" 3
is "planes that runs cut in one direction, blocks that double: inside" \
	"$(grep -E '^(plane5|grown2) ' out | grep -c MISSED)" 0
is "miniFE, TeaLeaf and SNAP from 1, 2, 4: 8 ranks inside, within 15 %" \
	"$(grep -E '^(minife|tealeaf|snap) .*1,2,4 +8 .*\+- +(.|1[0-4])\.. %  $' out |
		grep -c .)" 3
is "and a figure for each count of ranks that is left out" \
	"$(grep -E '^(minife|tealeaf|snap) ' out | grep -c open)" 0
done_testing
