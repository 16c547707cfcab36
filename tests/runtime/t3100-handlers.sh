# SPDX-License-Identifier: Apache-2.0
# Calls of signal handlers that interrupt other calls: recorded, or counted as
# lost, each of them (tests/progs/alarms.c says how many there were).
. "$(dirname "$0")/../lib.sh" python3 jq

# run NAME PROGRAM ARGS...
run() {
	local status
	rm -rf run
	WM_DIR=run "./$2.wm" "${@:3}" >out 2>err
	status=$?
	"$dump" --summary run/*/rank-000000.wmt.xz >"$1.json" || return 99
	return $status
}

get() { # NAME JQ-EXPRESSION
	jq -r "$2" "$1.json"
}

# handlers KIND COMPILER FLAGS...
handlers() {
	local kind=$1 cc=$2 p
	shift 2
	for p in alarms empty; do
		ok "$kind: $p builds" env WM_CC="$cc" wmcc -O1 -g \
			-fno-builtin "$@" -o "$p" "$SRC/tests/progs/$p.c"
	done
	ok "$kind: empty runs" run empty empty
	ok "$kind: a handler that allocates, beside mmap and its like" \
		run map alarms map
	read -r runs loops <out
	is "$kind: each call of both is recorded" "$(jq -n -c \
		--slurpfile a map.json --slurpfile e empty.json \
		'[$a, $e | .[0].counts | [.MALLOC, .FREE, .MAP, .REMAP_OUT,
		.REMAP_IN, .UNMAP]] | transpose | map(.[0] - .[1])')" \
		"[$runs,$runs,$loops,$loops,$loops,$loops]"
	is "$kind: and nothing is lost" \
		"$(get map '[.complete, .info.dropped] | @csv')" "true,0"
	for stack in "" stack above; do
		ok "$kind: a handler that maps, beside malloc ${stack:+($stack)}" \
			run heap alarms heap $stack
		read -r runs loops <out
		is "$kind: what is not recorded is counted" "$(get heap \
			'.counts.MAP + .counts.UNMAP + .info.dropped')" \
			$((2 * runs))
		is "$kind: all calls of the program are there" "$(jq -n -c \
			--slurpfile a heap.json --slurpfile e empty.json \
			'$a[0], $e[0] | [.unknown, .conflicts, (.counts |
			.FREE, .MALLOC, .CALLOC, .REALLOC_IN)]' | jq -s -c \
			'transpose | map(.[0] - .[1])')" \
			"[0,0,$((2 * loops)),$loops,$loops,$loops]"
		ok "$kind: that happens" [ "$(get heap .info.dropped)" -gt 0 ]
		like "$kind: and the run says why" "$(cat err)" \
			'not recorded: a signal handler allocated'
	done
}

# left KIND COMPILER FLAGS...: a handler leaves malloc and the program goes on
# deeper than that (leave_deeper.c); the allocator is the program's own, or that
# of a library
left() {
	local kind=$1 cc=$2 rounds=50 alloc=$SRC/tests/progs/leave_deeper_alloc.c
	shift 2
	if [ "$kind" = dynamic ]; then
		ok "$kind, $*: the allocator builds" "$cc" -fPIC -shared \
			-fno-builtin "$@" -o liballoc.so "$alloc"
		alloc=./liballoc.so
	fi
	ok "$kind, $cc $*: leave_deeper builds" env WM_CC="$cc" wmcc -g \
		-fno-builtin "$@" -o deeper "$SRC/tests/progs/leave_deeper.c" \
		"$alloc"
	ok "$kind, $cc $*: and runs without that" run none deeper 0
	ok "$kind, $cc $*: a handler leaves malloc by siglongjmp" \
		run deeper deeper $rounds
	is "$kind, $cc $*: what the program calls deeper is recorded" \
		"$(jq -n -c --slurpfile a deeper.json --slurpfile e none.json \
		'$a[0], $e[0] | [.unknown, .conflicts, .info.dropped,
		(.counts | .MALLOC, .CALLOC, .FREE)]' |
			jq -s -c 'transpose | map(.[0] - .[1])')" \
		"[0,0,0,$((3 * rounds)),$((3 * rounds)),$((6 * rounds))]"
}

for flag in -O0 -O2; do
	left static gcc $flag -static
	left dynamic gcc $flag
	if command -v clang >/dev/null; then
		left static clang $flag -static
		left dynamic clang $flag
	fi
done
handlers static gcc -static
handlers dynamic gcc
if command -v clang >/dev/null; then
	handlers "clang, static" clang -static
fi
if command -v musl-gcc >/dev/null; then
	handlers "musl, static" musl-gcc -static
fi
done_testing
