# SPDX-License-Identifier: Apache-2.0
# SIGKILL in the first moments of a process: whatever run directory there is
# can be read, and has the blocks that the program says.
. "$(dirname "$0")/../lib.sh"

for kind in static dynamic; do
	flag=
	[ $kind = dynamic ] || flag=-static
	wmcc -O1 -g -fno-builtin $flag -o "$kind" \
		"$SRC/tests/progs/start_kill.c" 2>>build.log
done

number() { # FILE: the counter in it
	if [ -s "$1" ]; then od -An -i "$1" | tr -d ' '; else echo 0; fi
}
get() { # JQ-EXPRESSION: of the only run; the status is that of wm-analyze
	wm-analyze --quiet --json run/*.wm >out.json 2>err
	local s=$?
	jq -c "$1" out.json
	return $s
}

for kind in static dynamic; do
	rm -rf run count
	WM_DIR=run ./$kind.wm count
	is "$kind: without a kill all is there" "$(get .run.complete; echo $?)" \
		"$(printf 'true\n0')"
	base=$(($(get .events.malloc) - $(number count)))

	rm -rf run count
	WM_DIR=run ./$kind.wm count self 2>/dev/null
	is "$kind: killed by itself" "$?" 137
	is "$kind: status 4, not complete, the blocks that the program says" \
		"$(get '[.run.complete, .events.malloc]'; echo $?)" \
		"$(printf '[false,%s]\n4' $((base + 5)))"
	# as it is before START: no block in the file, none in the window's count
	rank=rank-000000.wmt.xz
	for file in run/*.wm/$rank; do : >"$file"; done
	ok "$kind: blocks that the window knows of are missed" \
		grep -Eq 'the trace lacks blocks: [1-9] were written, 0 can' \
		<<<"$(get .run.notes)"
	dd if=/dev/zero of="$(echo run/*.wm/rank-000000.wmw)" bs=8 seek=14 \
		count=1 conv=notrunc status=none
	is "$kind: the same blocks where no block of the trace was written" \
		"$(get '[.run.complete, .events.malloc]'; echo $?)" \
		"$(printf '[false,%s]\n4' $((base + 5)))"
	like "$kind: where they come from is told" "$(cat err)" \
		"'$rank' has no end: the process was killed .*events from its window"
	rm -f run/*.wm/*.wmw
	is "$kind: and without a window, too" "$(get .events.malloc; echo $?)" \
		"$(printf '0\n4')"
	like "$kind: which is told" "$(cat err)" \
		"'$rank': .*empty.*before it could write its first block"
done

# at random, or as the kernel is entered for the Nth time
check() { # BASE: a reason when the run is not as it should be
	local n got status
	n=$(number count)
	ls run/*.wm >/dev/null 2>&1 || {
		[ "$n" = 0 ] || echo "no run directory, but $n calls"
		return
	}
	ls run/*.wm/rank-* >/dev/null 2>&1 || {
		[ "$n" = 0 ] || echo "no trace, but $n calls"
		return
	}
	got=$(get .events.malloc)
	status=$?
	case $status in
	0 | 4) ;;
	*) echo "status $status, $(cat err)" && return ;;
	esac
	# one may have returned, and not be counted yet; and what libc does
	# for itself before main may not be recorded yet
	[ $((got - n)) -ge 0 ] && [ $((got - n)) -le $(($1 + 1)) ] ||
		echo "$got blocks, but $n calls"
	[ "$n" = 0 ] || [ $((got - n)) -ge "$1" ] || echo "$got of $n + $1"
}
base_of() { # KIND
	rm -rf run count
	WM_DIR=run "./$1.wm" count
	echo $(($(get .events.malloc) - $(number count)))
}
sweep() { # KIND TIMES
	local base i bad=0 why
	base=$(base_of "$1")
	for ((i = 0; i < $2; i++)); do
		rm -rf run count
		WM_DIR=run "./$1.wm" count 2>/dev/null &
		sleep "0.0$(printf %03d $((RANDOM % 200 + 1)))"
		kill -KILL $! 2>/dev/null
		wait $! 2>/dev/null
		why=$(check "$base")
		[ -z "$why" ] || { echo "$why" && bad=1; }
	done 2>/dev/null
	return $bad
}
# killed as that system call is entered, by the list in the file calls.self;
# strace counts each name by itself
each_call() { # KIND FIRST LAST
	local base i bad=0 why name times
	base=$(base_of "$1")
	for ((i = $2; i <= $3; i++)); do
		rm -rf run count
		read -r name times < <(head -n $i calls.self | cut -d'(' -f1 |
			awk '{ n[$1]++; last = $1 } END { print last, n[last] }')
		WM_DIR=run strace -o calls \
			-e "inject=$name:signal=KILL:when=$times" \
			"./$1.wm" count >/dev/null 2>&1
		why=$(grep -q SIGKILL calls || echo "not killed"; check "$base")
		[ -z "$why" ] || { echo "call $i: $why" && bad=1; }
	done 2>/dev/null
	return $bad
}
for kind in static dynamic; do
	ok "$kind: SIGKILL in the first milliseconds, $(long_or 400 50) times" \
		sweep $kind "$(long_or 400 50)"
	if ! strace -o calls true 2>/dev/null; then
		skip "$kind: SIGKILL at each system call" "no strace"
		continue
	fi
	rm -rf run count
	WM_DIR=run strace -o calls.self ./$kind.wm count self 2>/dev/null
	first=$(grep -n 'rank-000000.wmt.xz' calls.self | head -1 | cut -d: -f1)
	ok "$kind: SIGKILL at each system call from the trace's first on" \
		each_call $kind $((first - 3)) $((first + $(long_or 200 60)))
done

done_testing
