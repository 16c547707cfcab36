# SPDX-License-Identifier: Apache-2.0
# For tests of wm-analyze: source after lib.sh.
MAKE_RUN=$BUILD/test/tools/wmt-make

# run NAME: the description on stdin becomes run directory NAME
run() {
	"$MAKE_RUN" "$1" /dev/stdin || echo "# no run $1"
}

# json EXPRESSION ARGUMENT...: prints a value of wm-analyze's JSON, j
json() {
	local e=$1
	shift
	wm-analyze --quiet --json "$@" 2>/dev/null |
		python3 -c "import json,sys; j=json.load(sys.stdin); print($e)"
}

# status COMMAND...: prints its exit status
status() {
	"$@" >/dev/null 2>&1
	echo $?
}
