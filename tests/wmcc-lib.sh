# SPDX-License-Identifier: Apache-2.0
# What the tests of the compiler driver share; sourced after lib.sh.
#
#   have PROGRAM PACKAGE DESCRIPTION   the program is there, else one skip
#   same FILE FILE                     byte-identical
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
