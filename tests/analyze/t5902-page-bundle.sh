# SPDX-License-Identifier: Apache-2.0
# The script of --html's page: what the clone brings is what its sources make.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib

run app.1.wm <<'X'
program app
elf app
rank 0 of 1
t 1000 malloc 0x1000 3000 main<make
end
X
dist=$SRC/analyze/render/page/dist

ok "without npm packages the build takes what the clone brings" \
	"$SRC/scripts/page-bundle" brought
is "all of it" "$(diff -r brought "$dist" && ls brought | xargs)" \
	"compare.js model.js page.css page.js start.js"
if tools=$("$SRC/scripts/node-tools" --cached analyze/render/page) &&
	command -v node >/dev/null; then
	ok "esbuild makes it" "$SRC/scripts/page-bundle" made "$tools"
	is "the clone brings what its sources make: if not, make page-dist" \
		"$(diff -rq made "$dist")" ""
	like "uPlot's licence is in it" "$(head -c 3000 made/page.js | tr '\n' ' ')" \
		'uPlot.*The MIT License.*Leon Sorokin.*THE SOFTWARE IS PROVIDED'
	is "it is what this wm-analyze has" \
		"$(cmp made/page.js "$BUILD/page/page.js" && echo same)" same
	wm-analyze -q --html made.html app.1.wm
	like "and the licence can be read in the page" \
		"$(tr '\n' ' ' <made.html)" 'uPlot.*THE SOFTWARE IS PROVIDED'
	has_no "it names no address" '://' sed \
		's,http://www.w3.org/2000/svg,,g' made/page.js made/page.css
else
	skip "esbuild makes it" "no node or npm packages: scripts/setup"
fi
done_testing
