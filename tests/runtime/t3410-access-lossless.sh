# SPDX-License-Identifier: Apache-2.0
# The loads and stores that a trace holds are those that the hooks were called
# for, one by one: address, bytes, kind and place, for each thread.
. "$(dirname "$0")/../lib.sh" access-lib gfortran

ok "the second opinion compiles" gcc -O2 -fomit-frame-pointer -c -o raw.o \
	"$SRC/tests/tools/access_raw.c"
wraps=$(nm raw.o | sed -n 's/.* T __wrap_/-Wl,--wrap=/p')

# NAME KIND COMPILER SOURCE THREADS FLAGS... -- ARGUMENTS...
same() {
	local name=$1 kind=$2 cc=$3 source=$4 threads=$5 flags=() found
	shift 5
	while [ "$1" != -- ]; do
		flags+=("$1")
		shift
	done
	shift
	rm -rf run raw ours
	mkdir raw ours
	ok "$name compiles" "$cc" -g -fsanitize=thread "${flags[@]}" \
		-c -o "$name.o" "$progs/$source"
	ok "$name links" access_link "$kind" "$cc" "$name" "$name.o" raw.o \
		$wraps "${flags[@]}" -Wl,-u,pthread_mutex_destroy
	ok "$name runs" env RAW_DIR=raw WM_DIR=run "./$name" "$@"
	ok "$name: the trace can be read" \
		"$dump" run/*/rank-000000.wmt.xz --raw ours
	ok "$name: and is the same, thread by thread" diff -r raw ours
	found=$(find ours -type f | wc -l)
	ok "$name: $found threads" [ "$found" -ge "$threads" ]
	ok "$name: many accesses ($(du -sk ours | cut -f1) KB)" \
		[ "$(cat ours/* | wc -c)" -gt 32000 ]
}

same c static gcc access/turns.c 9 -O2 --
same c0 static gcc access/turns.c 9 -O0 --
same dynamic dynamic gcc access/turns.c 9 -O2 --
same cxx static g++ mesh.cpp 1 -O2 --
same fortran static gfortran fields.f90 1 -O2 --
same team static gcc access/team.c 8 -O2 -fopenmp --
WM_ACCESS_LOCALS=on same locals0 static gcc access/turns.c 9 -O0 --
WM_ACCESS_LOCALS=on same locals static g++ mesh.cpp 1 -O2 --
if command -v clang >/dev/null; then
	same clang static clang access/turns.c 9 -O2 --
	same clang_dynamic dynamic clang access/turns.c 9 -O1 --
else
	skip "clang" "clang is missing"
fi
done_testing
