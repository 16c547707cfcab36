# SPDX-License-Identifier: Apache-2.0
# Threads, forks, deep stacks, bundled libraries, the environment.
. "$(dirname "$0")/../lib.sh" python3

trace() { # the newest trace below run/
	find run -name 'rank-*.wmt.xz' | sort | tail -1
}

run() { # COMMAND...: in a fresh run directory
	rm -rf run summary.*
	mkdir run
	WM_DIR=run "$@" >out 2>err
}

get() { # JQ-EXPRESSION on the newest trace
	local t
	t=$(trace)
	[ "$t" = "$(cat summary.of 2>/dev/null)" ] ||
		{ "$dump" --summary "$t" >summary.json; echo "$t" >summary.of; }
	jq -c "$1" summary.json
}

build() { # PROGRAM FLAGS...
	local p=$1
	shift
	wmcc -O1 -g -fno-builtin -o "$p" "$progs/$p.c" "$@" 2>build.log
}

for kind in -static ""; do
	name=${kind:-dynamic}
	ok "$name: threads builds" build threads $kind -pthread
	ok "$name: threads runs" run ./threads.wm 8 50
	is "$name: every event of 400 threads" \
		"$(get '.counts | [.MALLOC >= 80000, .FREE >= 80000]')" \
		'[true,true]'
	is "$name: nothing unknown, nothing twice" \
		"$(get '[.unknown, .conflicts, .info.dropped]')" '[0,0,0]'
	is "$name: memory stays with the threads that live" \
		"$(get '.info.memory < 40000000')" true

	ok "$name: team builds" build team $kind -fopenmp \
		-Wl,-u,pthread_mutex_destroy
	ok "$name: team runs" run ./team.wm 4
	is "$name: cross-thread frees match" \
		"$(get '[.unknown, .conflicts, .counts.FREE >= 400]')" \
		'[0,0,true]'

	ok "$name: child builds" build child $kind
	ok "$name: fork, exit of the child, vfork and exec" run ./child.wm
	is "$name: one trace, of the parent" "$(find run -name '*.xz' \
		-name 'rank-*' | wc -l)" 1
	is "$name: with both of its blocks" \
		"$(get '[.unfreed_bytes >= 11000, .complete, .counts.FREE < 100]')" \
		'[true,true,true]'

	ok "$name: deep builds" build deep $kind
	ok "$name: deep runs" run ./deep.wm 10000
	is "$name: a call path of 10,000 frames" "$("$dump" "$(trace)" |
		awk '$3 == "MALLOC" && $5 == 123 {print (NF - 5 > 10000)}')" 1
done

# ---- languages and bundled libraries ----
wmcxx -O2 -g -static -o mesh "$progs/mesh.cpp" 2>build.log
ok "C++: exceptions and churn" run ./mesh.wm 50
is "C++: output as ever" "$(cat out)" "$(./mesh 50)"
is "C++: new and delete" "$(get '[.counts.MALLOC >= 51000, .unknown]')" \
	'[true,0]'
wmf90 -O1 -g -static -o fields "$progs/fields.f90" 2>build.log
ok "Fortran: a static program that does I/O" run ./fields.wm
is "Fortran: output as ever" "$(cat out)" "$(./fields)"
is "Fortran: allocate" "$(get '.peak >= 1200000')" true

ok "own lzma_* and unw_*: builds" wmcc -static \
	-o own "$progs/runtime/own_names.c"
ok "own lzma_* and unw_*: runs" run ./own.wm
is "own lzma_* and unw_*: its own are called" "$(cat out)" "1 2 3"
ok "-llzma of the system: builds" wmcc -static \
	-o xz "$progs/runtime/own_lzma.c" -llzma -pthread
ok "-llzma of the system: runs" run ./xz.wm
is "-llzma of the system: works" "$(cat out)" "0 1"

# ---- never harm ----
for kind in -static ""; do
	wmcc -O1 -fno-builtin $kind -o quiet "$progs/runtime/quiet.c"
	run ./quiet.wm
	is "${kind:-dynamic}: errno and descriptors" "$(cat out err)" \
		"errno 4242 fd 3"
done
wmcc -O1 -fno-builtin -static -o eintr "$progs/runtime/stale_eintr.c"
ok "a stale EINTR does not hang" run timeout 100 ./eintr.wm

for kind in -static ""; do
	name=${kind:-dynamic}
	wmcc -O1 -fno-builtin $kind -pthread \
		-o exitrace "$progs/runtime/exit_race.c"
	run timeout 60 ./exitrace.wm
	is "$name: exit while others allocate" "$? $(get \
		'[.complete, .unknown, .conflicts]')" '5 [true,0,0]'
	wmcc -O1 -fno-builtin $kind -o jump "$progs/runtime/leave_between.c"
	ok "$name: handlers that leave by siglongjmp" run timeout 60 ./jump.wm
	is "$name: the trace of it is whole" "$(get '[.complete, .conflicts]')" \
		'[true,0]'
	wmcxx -O1 $kind -pthread \
		-o callback "$progs/runtime/callback.cpp" 2>build.log
	ok "$name: allocation inside dl_iterate_phdr" run timeout 60 ./callback.wm
done
ok "a limit on file sizes: same fate" bash -c \
	'ulimit -f 8; WM_DIR=run ./threads.wm 4 50 2>limit.err'
like "a limit on file sizes: the loss is counted" "$(cat limit.err)" \
	"^wmtrace: [0-9]+ events .*file too large$"

# ---- environment ----
build families -static
ok "WM_DISABLE=1 runs" run env WM_DISABLE=1 ./families.wm
is "WM_DISABLE=1 leaves nothing" "$(ls run)" ""
run env WM_NAME=mine WM_RUN_ID=one ./families.wm
is "WM_NAME and WM_RUN_ID name the directory" "$(ls run)" mine.one.wm
is "and the bundle is in it" "$(ls run/*)" "program.wmc.xz
rank-000000.wmt.xz"
cp "$(trace)" first.xz
WM_DIR=run WM_NAME=mine WM_RUN_ID=one ./families.wm
is "an existing trace is not overwritten" "$(ls run/*)" "program.wmc.xz
rank-000000.2.wmt.xz
rank-000000.wmt.xz"
ok "nor changed" cmp first.xz run/mine.one.wm/rank-000000.wmt.xz
long=$(printf 'ab\303\244%.0s' {1..50}) # 200 bytes
id=$(printf '0%.0s' {1..120})
run env WM_NAME="$long" WM_RUN_ID="$id" WM_WINDOW_DIR="$W" ./families.wm
is "a directory's name has 255 bytes, and no half character at its end" \
	"$(ls run)" "${long:0:130}.$id.wm"
is "the whole program and id are read" "$(wm-analyze --quiet --json run/*.wm |
	jq -r '.run | .program + " " + .id')" "$long $id"
run env WM_COMPRESS=store ./families.wm
ok "WM_COMPRESS=store: xz accepts it" xz -t "$(trace)"
is "WM_COMPRESS=store: same events" "$(get .counts.ALIGNED)" 5
run env WM_COMPRESS=6 WM_BUFFER=4K ./threads.wm 2 5
ok "WM_COMPRESS=6, WM_BUFFER=4K: xz accepts it" xz -t "$(trace)"
is "WM_BUFFER=4K: more blocks" "$(get '.info.sequence > 20')" true
is "WM_BUFFER=4K: nothing lost" "$(get '[.unknown, .conflicts]')" '[0,0]'
run env WM_UNWIND=none ./families.wm
is "WM_UNWIND=none: the caller alone" "$("$dump" "$(trace)" |
	awk '$3 == "MALLOC" {print NF - 5}' | sort -u)" 1
if strace -o calls true 2>/dev/null; then
	run strace -f -o calls env WM_UNWIND=none ./threads.wm 2 50
	ok "WM_UNWIND=none: no system call for each event" \
		test "$(grep -c sigprocmask calls)" -lt 5000
else
	skip "WM_UNWIND=none: no system call for each event" "no strace"
fi
run env WM_TIME_RES=bogus ./families.wm
like "a bad value warns once" "$(cat err)" \
	"^wmtrace: WM_TIME_RES='bogus' is not .*; taking the default$"
is "on one line, and nothing on stdout" "$(wc -l <err) $(wc -c <out)" "1 0"
run env WM_TIME_RES=bogus WM_BUFFER=1 ./families.wm
like "of two bad values both are named" "$(cat err)" \
	"^wmtrace: WM_TIME_RES='bogus' .*; WM_BUFFER='1' is not .*taking the default$"
run env WM_TIME_RES=bogus WM_QUIET=1 ./families.wm
is "WM_QUIET=1 silences it" "$(cat err)" ""
run env WM_TIME_RES=bogus WM_QUIET=on ./families.wm
is "and so does WM_QUIET=on" "$(cat err)" ""
for v in WM_DISABLE WM_QUIET WM_CHILDREN WM_SUMMARY WM_COMMAND WM_VARIABLES; do
	run env $v=Off ./families.wm
	is "$v=Off is off" "$(cat err)" ""
	run env $v=maybe ./families.wm
	is "$v=maybe is off, and that is said" "$(cat err)" \
		"wmtrace: $v='maybe' is neither on nor off; taking off"
done
run env WM_RANK=0 WM_NOTHING=1 ./families.wm
is "variables that do not exist" "$(cat err)" "wmtrace: WM_RANK is no variable \
of wmtools: did you mean WM_RANKS?; WM_NOTHING is no variable of wmtools: see \
wm-environment(7)"
run env WM_PROJECT_DIR=/opt/foam WM_OPTIONS=x WM_SUMMRAY=1 ./families.wm
is "of OpenFOAM's none, slips still" "$(cat err)" "wmtrace: WM_SUMMRAY is no \
variable of wmtools: did you mean WM_SUMMARY?"
run env WM_CC=gcc WM_LINK=twin WM_CACHE=/tmp ./families.wm
is "those for linking are known" "$(cat err)" ""

# ---- the trace cannot be written: the program runs on ----
export WM_DIR=/proc/nowhere
ok "an impossible directory: same exit status" ./families.wm
like "one line says why" "$(./families.wm 2>&1)" \
	"^wmtrace: [0-9]+ events .* cannot write '/proc/nowhere/.*': "
is "only one" "$(./families.wm 2>&1 | wc -l)" 1
export WM_DIR=$W/file/below
: >"$W/file"
like "a file in the way" "$(./families.wm 2>&1)" "not a directory"
unset WM_DIR
# the directory, or two, can be made, and then no file
mkdir tiny
for how in "2 1" "2 2000" "3 2000"; do
	read -r inodes ranks <<<"$how"
	if ! mount -t tmpfs -o nr_inodes=$inodes none tiny 2>mount.err; then
		skip "no room for a trace" "$(tail -1 mount.err)"
		break
	fi
	like "$((inodes - 1)) inodes, $ranks ranks: said" "$(WM_DIR=$W/tiny \
		PMI_RANK=0 PMI_SIZE=$ranks ./families.wm 2>&1)" \
		'no space left on device$'
	is "and no empty directory stays" "$(ls -A tiny)" ""
	umount tiny
done
bad=0 said=
for kib in $(seq 2000 400 4000) $(seq 9000 200 11600); do
	out=$(ulimit -v "$kib"; WM_DIR=run exec ./families.wm 2>&1) || bad=1
	said=$said${out:+$out$'\n'}
done
is "no memory for the tool: same exit status" $bad 0
is "no memory for the tool: the loss is said" \
	"$(printf %s "$said" | sort -u)" \
	"wmtrace: nothing is traced: the limits on memory leave too little"
if [ "$(id -u)" = 0 ] && mkdir small &&
	mount -t tmpfs -o size=64k none small 2>/dev/null; then
	out=$(WM_DIR=small ./threads.wm 4 50 2>&1)
	is "full disk: same exit status" $? 0
	like "full disk: the loss is counted" "$out" \
		"^wmtrace: [0-9]+ events .*no space left on device$"
	ok "full disk: what was written is whole" sh -c 'xz -t small/*/rank*.xz'
	umount small
else
	skip "full disk" "no right to mount a small tmpfs"
fi

# ---- the number of a thread that is gone, given out again ----
wmcc -O1 -fno-builtin -static -pthread -o same_tid "$progs/runtime/same_tid.c"
memory_of() { # THREADS: bytes of the tool; status as of same_tid
	rm -rf same
	WM_DIR=same ./same_tid.wm "$1"
	[ $? != 77 ] || {
		rm -rf same
		WM_DIR=same unshare -Urpf --mount-proc ./same_tid.wm "$1" 2>/dev/null
	} || return
	wm-analyze --json same/*.wm | jq .tool.memory_bytes
}
one=$(memory_of 1)
if all=$(memory_of 100); then
	small "100 threads of one number take the memory of one" test \
		$((all - one)) -lt $((2 << 20))
else
	skip "100 threads of one number" "numbers of threads cannot be chosen"
fi
done_testing
