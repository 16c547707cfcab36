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

# status COMMAND...: prints its exit status
status() {
	"$@" >/dev/null 2>&1
	echo $?
}

# sanitized [CC]: builds an analyzer with sanitizers once (by make's compiler or
# this one), and prints its path; that of the other one, and 1, when it can not
# be built.  Test files may call it at the same time.
sanitized() {
	local san=$BUILD/test/san${1:+-$1}

	if built_once "san${1:+-$1}" make -s -C "$SRC" BUILD="$san" \
		SAN=address,undefined DEVELOPER= ${1:+CC="$1"} \
		"$san/bin/wm-analyze" >san.log 2>&1; then
		echo "$san/bin/wm-analyze"
	else
		echo "$BUILD/bin/wm-analyze"
		return 1
	fi
}

# reports: the options of every report that --help lists, one a line; a value
# that one needs is made up
reports() {
	wm-analyze --help | sed -n '/^Reports/,/^Options/{
		s/^  \(--[a-z-]*\) FORMAT .*/\1 folded/p; t
		s/^  \(--[a-z-]*\) FILE .*/\1 -/p; t
		s/^  \(--[a-z-]*\) [A-Z][A-Z]* .*/\1 value/p; t
		s/^  \(--[a-z-]*\).*/\1/p
	}'
}
