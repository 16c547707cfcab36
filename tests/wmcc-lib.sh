# SPDX-License-Identifier: Apache-2.0
# What the tests of the compiler driver share; sourced after lib.sh.
#
#   have PROGRAM PACKAGE DESCRIPTION   the program is there, else one skip
#   same FILE FILE                     byte-identical
#   traced PROGRAM [ARG...]            runs and leaves exactly one trace
#   sources                            hello.c hello.cc hello.f90 here
#   leftovers                          names of files that nobody asked for

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
	cat >hello.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	void *volatile p = malloc(10);

	printf("hello %d\n", p != NULL);
	free(p);
	return 0;
}
END
	cat >hello.cc <<'END'
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>
int main()
{
	std::vector<std::string> v(100, std::string(50, 'x'));

	try {
		v.at(1000) = "";
	} catch (const std::out_of_range &e) {
		std::cout << "caught " << v.size() << std::endl;
	}
}
END
	cat >hello.f90 <<'END'
program hello
	real, allocatable :: a(:)
	allocate(a(1000))
	a = 2
	print *, 'sum', sum(a)
	deallocate(a)
end program
END
}
