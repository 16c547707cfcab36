# SPDX-License-Identifier: Apache-2.0
# The script of --html's page: bundled from npm packages, taken from a release,
# or missing, which is said.
# run: quick
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/analyze-lib.sh"

run app.1.wm <<'X'
program app
elf app
rank 0 of 1
t 1000 malloc 0x1000 3000 main<make
end
X

# A copy of what the build takes, with nothing cached and no release.
mkdir -p copy/analyze/render copy/scripts
cp -r "$SRC/analyze/render/page" copy/analyze/render/
rm -rf copy/analyze/render/page/dist
cp "$SRC"/scripts/* copy/scripts/ 2>/dev/null
like "without npm packages the build says what is missing" \
	"$(copy/scripts/page-bundle none 2>&1)" \
	'the page of --html will have no script; scripts/setup brings them'
is "and the bundle is empty" "$(cat none/page.js none/compare.js \
	none/model.js none/start.js none/page.css)" ""

ok "a wm-analyze without it links" plain_analyzer plain
is "which says so in one line" "$(plain/wm-analyze --html page.html app.1.wm 2>&1 |
	grep -c 'this build has no script for pages')" 1
like "and writes the page without" "$(cat page.html)" \
	'<main class="plain"><h1>app</h1>'
has_no "no part of it needs a script" '<noscript>|<script>|<script src' \
	cat page.html

# what a release brings
mkdir -p copy/analyze/render/page/dist
echo 'var brought;' >copy/analyze/render/page/dist/page.js
echo 'var two;' >copy/analyze/render/page/dist/compare.js
echo 'var many;' >copy/analyze/render/page/dist/model.js
echo 'var first;' >copy/analyze/render/page/dist/start.js
echo 'p{}' >copy/analyze/render/page/dist/page.css
is "what a release brings is taken" \
	"$(copy/scripts/page-bundle brought 2>&1; cat brought/page.*)" 'p{}
var brought;'

if tools=$("$SRC/scripts/node-tools" --cached analyze/render/page) &&
	command -v node >/dev/null; then
	ok "esbuild makes it" "$SRC/scripts/page-bundle" made "$tools"
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
