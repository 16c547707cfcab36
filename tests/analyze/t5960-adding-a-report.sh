# SPDX-License-Identifier: Apache-2.0
# docs/adding-a-report.md, followed word for word: the report and the test that
# stand there, in a copy of the tree.
. "$(dirname "$0")/../lib.sh"
page=$SRC/docs/adding-a-report.md

# listing LANGUAGE N: the N-th listing of that language in the page
listing() {
	awk -v fence="\`\`\`$1" -v n="$2" '
		$0 == fence { if (++k == n) { on = 1; next } }
		/^```$/ { on = 0 }
		on' "$page"
}

mkdir tree new
(cd "$SRC" && tar -cf - --exclude=./build --exclude=./.git .) |
	tar -xf - -C tree
(cd "$BUILD" && tar -cf - --exclude=./test .) | tar -xf - -C new
mkdir -p new/test/tools
cp "$BUILD/test/tools/wmt-make" new/test/tools/

listing c 1 >tree/analyze/answers/heap/report_threads.c
row=$(listing c 2)
like "the page has a report" "$(cat tree/analyze/answers/heap/report_threads.c)" \
	'struct wm_report wm_threads_report'
like "the page has a row" "$row" 'X\(threads\)'
awk -v row="$row" '{ print } /X\(sizes\)/ { print row }' \
	"$SRC/analyze/menu.c" >tree/analyze/menu.c
ok "the report is built" eval "make -s -C tree BUILD='$W/new' \
	$(cat "$BUILD/variables") '$W/new/bin/wm-analyze'"
like "--help names it" "$(new/bin/wm-analyze --help all)" '--threads +how many'
listing sh 2 >tree/tests/analyze/t5970-threads.sh
BUILD=$W/new bash tree/tests/analyze/t5970-threads.sh >log 2>&1
sed 's/^/# /' log
is "its test: text, JSON, CSV and the page" \
	"$(grep -c '^ok' log) $(grep -c '^not ok' log)" "4 0"
done_testing
