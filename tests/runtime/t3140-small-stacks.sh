# SPDX-License-Identifier: Apache-2.0
# What we take of the stack that the program happens to be on: 400 bytes at
# most more than the program alone, whatever it does there.  tests/progs/
# painted.c tells how deep a painted stack was touched; altstack.c has an
# alternate stack of a size to choose, on which a signal's frame leaves little.
. "$(dirname "$0")/../lib.sh"
most=400

# The loader's own work on the first call of a function, 3 KiB with AVX-512,
# would hide ours.
export LD_BIND_NOW=1 WM_QUIET=1 WM_DIR=$W/run
ulimit -c 0

touched() { # PROGRAM WHAT [ENVIRONMENT]: bytes, or why there are none
	local program=$1 what=$2 status
	shift 2
	rm -f stack
	env "$@" "./$program" stack "$what" >out 2>&1
	status=$?
	if [ $status -eq 0 ]; then
		"./${program%.wm}" stack
	else
		echo "status $status"
	fi
}

# Those of WHATS that are above, in one line; or "none".
compare() { # PROGRAM WHATS [ENVIRONMENT]
	local program=$1 what plain twin above=
	local -a whats
	read -ra whats <<<"$2"
	shift 2
	for what in "${whats[@]}"; do
		plain=$(touched "$program" "$what" "$@")
		twin=$(touched "$program.wm" "$what" "$@")
		if ! [ "$twin" -gt 0 ] 2>/dev/null ||
			! [ $((twin - plain)) -le $most ] 2>/dev/null; then
			above+="$what: $plain, twin $twin; "
		fi
	done
	echo "${above:-none}"
}

for cc in gcc clang; do
	command -v $cc >/dev/null || continue
	for kind in -static ""; do
		name="$cc, ${kind:-dynamic}"
		WM_CC=$cc wmcc -O1 -fno-builtin -Wno-deprecated-declarations \
			$kind -pthread -o painted "$progs/painted.c" \
			2>log || tail -3 log
		what=$(./painted stack list | paste -sd ' ')
		like "$name: what is tried" "$what" '^pair-first .* exit$'
		is "$name: at most $most bytes more than the program alone" \
			"$(compare painted "$what" WM_CHILDREN=1 \
				WM_BUFFER=4K)" none
		[ $cc = gcc ] || continue
		for e in WM_UNWIND=none WM_UNWIND=fp WM_UNWIND=libunwind \
			WM_UNWIND=check WM_MAX_BYTES=30000 WM_SUMMARY=1 \
			WM_WINDOW=off WM_DIR=/dev/null; do
			is "$name, $e: the same" "$(compare painted \
				"pair-again pairs pairs-again map _exit" "$e" \
				WM_BUFFER=4K)" none
		done
	done
done

# The program lives from this size on.
from() { # PROGRAM WHAT
	local n status
	for ((n = 1024; n < 20000; n += 128)); do
		"./$1" $n $2 >out 2>&1
		status=$?
		[ $status -eq 7 ] && break
	done
	echo $n
}

sweep() { # NAME PROGRAM
	local plain twin what
	for what in "" end disarm; do
		plain=$(from "$2" "$what")
		twin=$(from "$2.wm" "$what")
		ok "$1: a handler's stack of $plain bytes, twin $twin, $what" \
			test "$plain" -lt 20000 -a $((twin - plain)) -le $most
	done 2>/dev/null
}

for cc in gcc clang musl-gcc; do
	command -v $cc >/dev/null || continue
	for kind in -static ""; do
		[ "$cc$kind" = musl-gcc ] && continue
		WM_CC=$cc wmcc -O2 -fno-builtin $kind -o alt \
			"$progs/altstack.c" 2>log || tail -3 log
		sweep "$cc, ${kind:-dynamic}" alt
	done
done
done_testing
