# SPDX-License-Identifier: Apache-2.0
# For tests that look at pages with a browser; behind lib.sh.

# needs_browser: skips the test without browser or tools
needs_browser() {
	command -v node >/dev/null || skip_all "node is missing: scripts/setup"
	command -v chromium >/dev/null ||
		skip_all "chromium is missing: scripts/setup"
	WM_NODE_TOOLS=$("$SRC/scripts/node-tools" --cached) ||
		skip_all "playwright-core and axe-core are missing: scripts/setup"
	WM_CHROMIUM=$(command -v chromium)
	export WM_NODE_TOOLS WM_CHROMIUM
}

# look NAME CHECK...: what the browser sees in NAME.html, to NAME.seen
look() {
	local name=$1
	shift
	timeout "${LOOK_SECONDS:-120}" node "$SRC/tests/tools/node/page.cjs" \
		"$name.html" "$@" >"$name.seen" 2>&1
}
# seen NAME CHECK: what look() found
seen() {
	sed -n "s/^$2: //p" "$1.seen"
}
