# SPDX-License-Identifier: Apache-2.0
# What the tests of the compiler driver share; sourced after lib.sh.
#
#   have PROGRAM PACKAGE DESCRIPTION   the program is there, else one skip
#   same FILE FILE                     byte-identical
#   alike WHAT PLAIN OURS ARGUMENT...  the commands PLAIN and OURS make plain and
#                                      app: three checks, that both are the same;
#                                      one skip and 1, where PLAIN cannot
#   traced PROGRAM [ARG...]            runs and leaves exactly one trace
#   sources                            hello.c hello.cc hello.f90 here
#   leftovers                          names of files that were not asked for

have() {
	command -v "$1" >/dev/null && return 0
	skip "$3" "package $2 is not installed"
	return 1
}

same() {
	[ -f "$1" ] && [ -f "$2" ] &&
		[ "$(sha256sum <"$1")" = "$(sha256sum <"$2")" ]
}

# what a compiler prints, but for names of temporary files
said_in() {
	sed 's/cc[A-Za-z0-9]*\.[a-z.]*//g' "$1"
}

alike() {
	local what=$1 plain=$2 ours=$3
	shift 3
	rm -f plain app app.wm
	if ! $plain "$@" -o plain >plain.out 2>&1; then
		skip "$what" "cannot link: $(tail -1 plain.out)"
		return 1
	fi
	$ours "$@" -o app >app.out 2>&1
	is "$what: status" $? 0
	ok "$what: same program" same plain app
	is "$what: same messages" "$(said_in app.out)" "$(said_in plain.out)"
}

traced() {
	local dir n
	dir=$(mktemp -d "$W/run.XXXXXX")
	WM_DIR=$dir "$@" >"$dir/stdout" 2>"$dir/stderr" </dev/null
	echo "exit status $?"
	n=$(find "$dir" -name 'rank-*.wmt.xz' | wc -l)
	cat "$dir/stdout" "$dir/stderr"
	rm -rf "$dir"
	echo "$n traces"
	[ "$n" -eq 1 ]
}

leftovers() {
	find "${1:-.}" \( -name '.*.tmp' -o -name '.*.map' -o -name '.*.res' \
		-o -name '.*.rsp' -o -name '.*.sym' \)
}

sources() {
	bring link/hello.c link/hello.cc link/hello.f90
}
