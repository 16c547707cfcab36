# SPDX-License-Identifier: Apache-2.0
# --model: of 60 predictions and more of jobs whose need is known, 9 in 10 lie in
# their intervals, which are narrow (docs/model.md has the figures).
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/analyze-lib.sh"

"$SRC/tests/tools/model-corpus" "$MAKE_RUN" "$W/corpus" -v >out 2>err ||
	sed 's/^/# /' err
grep MISSED out | sed 's/^/# /'
read -r count _ inside _ width _ <<<"$(tail -1 out | tr -d ,)"
ok "predictions: ${count:-none}" test "${count:-0}" -ge 60
ok "in their intervals: ${inside:-none}" \
	test "$((${inside:-0} * 10))" -ge "$((${count:-1} * 9))"
ok "the median width is below 4 %: +-$width %" test "${width%.*}" -lt 4
like "a gather on rank 0 from 1, 2, 4 and 8 ranks: 1,024 within 5 %" "$(cat out)" \
	'^gather .* 1024 .*  [+-][0-4]\.[0-9]+ %.*%  $'
is "a stencil from 1, 2, 4: 8 ranks below 1 %" \
	"$(grep -E '^(plane|box|strip) .*1,2,4 +8 .* [+-]0\.[0-9]+ %' out | grep -c .)" 3
is "miniFE, TeaLeaf and SNAP from 1, 2, 4: 8 ranks inside, within 15 %" \
	"$(grep -E '^(minife|tealeaf|snap) .*1,2,4 +8 .*\+- +(.|1[0-4])\.. %  $' out |
		grep -c .)" 3
done_testing
