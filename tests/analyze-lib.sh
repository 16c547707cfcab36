# SPDX-License-Identifier: Apache-2.0
# For tests of wm-analyze: source after lib.sh.
MAKE_RUN=$BUILD/test/tools/wmt-make

# run NAME: the description on stdin becomes run directory NAME
run() {
	"$MAKE_RUN" "$1" /dev/stdin || echo "# no run $1"
}

# json EXPRESSION ARGUMENT...: prints a value of wm-analyze's JSON, j; a line
# that is equal to no other when there is no answer
json() {
	local e=$1 s
	shift
	wm-analyze --quiet --json "$@" 2>/dev/null |
		python3 -c "import json,sys; j=json.load(sys.stdin); print($e)"
	s=("${PIPESTATUS[@]}")
	[ "${s[0]}" -lt 5 ] && [ "${s[1]}" -eq 0 ] ||
		echo "no answer ($BASHPID): wm-analyze $*: status ${s[0]}"
}

# heap_of COMMAND...: prints the bytes of heap and mappings that it had at most,
# as recorded; what it prints is in `out`.  With one thread the same on each
# machine, which resident memory is not.
heap_of() {
	rm -rf heap_of.1.wm
	WM_NAME=heap_of WM_RUN_ID=1 wm-run "$@" >out 2>/dev/null &&
		json 'j["heap"]["peak"]["max"]' heap_of.1.wm
}

# status COMMAND...: prints its exit status
status() {
	"$@" >/dev/null 2>&1
	echo $?
}

# make_sanitized CC TARGET...: makes TARGETs with sanitizers, by this compiler or
# with "" by make's, in $BUILD/test/san-CC or san.  Test files share these trees,
# also at the same time: all build with the same flags.
make_sanitized() {
	local cc=$1 san=san${1:+-$1}
	shift
	built_once "$san" make -s -j2 -C "$SRC" BUILD="$BUILD/test/$san" \
		SAN=address,undefined DEVELOPER= CFLAGS="-O0 -g" \
		${cc:+CC="$cc"} "$@"
}

# sanitized [CC]: prints the path of an analyzer with sanitizers; that of the
# other one, and 1, when it cannot be built
sanitized() {
	local analyze=$BUILD/test/san${1:+-$1}/bin/wm-analyze

	if make_sanitized "${1:-}" "$analyze" >san.log 2>&1; then
		echo "$analyze"
	else
		echo "$BUILD/bin/wm-analyze"
		return 1
	fi
}

# take_sanitized: $ANALYZE is the analyzer with sanitizers, whose complaints are
# status 99; or the other one, which is a skip
take_sanitized() {
	if ANALYZE=$(sanitized); then
		tap_result 0 "an analyzer with sanitizers"
	else
		skip "an analyzer with sanitizers" "$(tail -1 san.log)"
	fi
	export ANALYZE ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
}

# reports: the options of every report that --help lists, one a line; a value
# that one needs is made up
reports() {
	wm-analyze --help all | sed -n '/^Reports/,/^Options/{
		s/^  \(--[a-z-]*\) FORMAT .*/\1 folded/p; t
		s/^  \(--[a-z-]*\) CACHES .*/\1 L1=32K\/8/p; t
		s/^  \(--[a-z-]*\) CACHES$/\1 L1=32K\/8/p; t
		s/^  \(--[a-z-]*\) FILE .*/\1 -/p; t
		s/^  \(--[a-z-]*\) [A-Z][A-Z]* .*/\1 value/p; t
		s/^  \(--[a-z-]*\).*/\1/p
	}'
}
