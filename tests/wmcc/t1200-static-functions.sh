# SPDX-License-Identifier: Apache-2.0
# Each function that wmtools wraps, in static programs: what the program has
# the twin has, the same one of the same archive, and its results are the same.
. "$(dirname "$0")/../lib.sh" wmcc-lib

# the list of the product, without MPI and what is C++'s or the loader's
wrapped=$({
	echo '#include "wm/wrap_list.h"'
	echo '#define X(s, f) s'
	echo 'WM_WRAP_HEAP(X) WM_WRAP_SIZED(X) WM_WRAP_MAP(X)'
	echo 'WM_WRAP_EXIT(X) WM_WRAP_PROCESS(X)'
} | gcc -I"$SRC/include" -E -P - | tr ' ' '\n' | grep .)
is "the list is read" "$(grep -cx 'malloc\|_exit\|mmap64' <<<"$wrapped")" 3

defines() { # ARCHIVE...: -DHAVE_X for each wrapped function in them
	local all
	all=$(nm -g --defined-only "$@" 2>/dev/null |
		awk 'NF == 3 && $2 ~ /[TWi]/ {print $3}')
	grep -Fx -f <(echo "$all") <<<"$wrapped" | sed 's/^/-DHAVE_/'
}

# "X SIZE" of each wrapped function that is defined in PROGRAM
contains() {
	nm -S "$1" | awk 'NF == 4 {print $4, $2}' |
		grep -E "^($(echo $wrapped | tr ' ' '|')) " | sort -u
}

# WHAT LEAST FLAGS...: both programs, at LEAST wrapped functions in them
compare() {
	local what=$1 least=$2
	shift 2
	rm -rf app app.wm run
	if ! wmcc -O1 -fno-builtin -w -o app "$@" >log 2>&1; then
		tap_result 1 "$what: links"
		sed 's/^/# /' log
		return
	fi
	contains app >app.list
	contains app.wm >twin.list
	ok "$what: has wrapped functions" test "$(wc -l <app.list)" -ge "$least"
	is "$what: the twin has them, too, and no other's" \
		"$(comm -23 app.list twin.list 2>&1)" ""
	./app >app.out 2>&1
	echo "status $?" >>app.out
	WM_DIR=run ./app.wm >twin.out 2>&1
	echo "status $?" >>twin.out
	ok "$what: says something" test "$(wc -l <app.out)" -ge 2
	is "$what: the same results" "$(cat twin.out)" "$(cat app.out)"
}

# what the program states it asks for, in events that did not fail
counts() {
	"$dump" --summary run/*/rank-000000.wmt.xz |
		jq -r '"\(.counts.ALIGNED // 0) \(.counts.FAILED // 0)"'
}

glibc=$(defines "$(gcc -print-file-name=libc.a)")
for ld in bfd gold lld mold; do
	have "ld.$ld" "$ld" "glibc, $ld" || continue
	compare "glibc, $ld" 20 -static -fuse-ld=$ld $glibc "$progs/calls.c"
	# reallocarray of what cannot be; brk(NULL) asks for nothing
	is "glibc, $ld: aligned blocks, failures" "$(counts)" "5 1"
done
{
	compare "glibc, static-pie" 20 -static-pie $glibc "$progs/calls.c"
	compare "glibc, LTO" 20 -static -flto $glibc "$progs/calls.c"
}

if have musl-gcc musl-tools musl; then
	libc=$(musl-gcc -static -Wl,-t -x c - <<<'int main(void) {}' |
		grep -m1 '/libc\.a$')
	export WM_CC=musl-gcc
	# musl-gcc's start files are not right for lld and mold
	for ld in bfd gold; do
		have "ld.$ld" "$ld" "musl, $ld" || continue
		compare "musl, $ld" 15 -static -fuse-ld=$ld $(defines "$libc") \
			"$progs/calls.c"
	done
	# each alone: nothing else pulls what it needs
	for f in $(defines "$libc" | grep -e alloc -e align); do
		compare "musl, ${f#-DHAVE_} alone" 2 -static "$f" \
			"$progs/calls.c"
	done
	unset WM_CC
fi

# an allocator with one function in each member of its archive
parts() { # ARCHIVE NAME...
	local a=$1 p
	shift
	for p; do
		gcc -O1 -fno-builtin -DPART_$p -c -o part_$p.o \
			"$progs/parts.c" || return
	done
	rm -f "$a"
	ar rc "$a" $(printf 'part_%s.o ' "$@")
}
own="malloc free calloc realloc reallocarray cfree posix_memalign aligned_alloc
	memalign valloc pvalloc free_sized free_aligned_sized"
ok "an archive of parts" parts libparts.a base $own
have_own=$(printf -- '-DHAVE_%s ' $own)
for ld in bfd gold lld mold; do
	have "ld.$ld" "$ld" "own archive, $ld" || continue
	compare "own archive, $ld" 13 -static -fuse-ld=$ld $have_own \
		"$progs/calls.c" libparts.a
done
compare "own archive in a group" 13 -static $have_own "$progs/calls.c" \
	-Wl,--start-group -lc libparts.a -Wl,--end-group
ok "an archive of names" sh -c "rm -f libthin.a &&
	ar rcT libthin.a $(printf 'part_%s.o ' base $own)"
compare "own thin archive" 13 -static $have_own "$progs/calls.c" libthin.a
for f in posix_memalign valloc cfree; do
	compare "own archive, $f alone" 1 -static "-DHAVE_$f" -DHAVE_calloc \
		-DHAVE_realloc -DHAVE_free "$progs/calls.c" libparts.a
done

for lib in jemalloc tcmalloc_minimal mimalloc; do
	a=$(gcc -print-file-name=lib$lib.a)
	if [ ! -f "$a" ]; then
		skip "$lib" "lib$lib.a is not installed"
		continue
	fi
	compare "$lib" 8 -static $(defines "$a") "$progs/calls.c" -l$lib \
		-lstdc++ -lm
done
done_testing
