# SPDX-License-Identifier: Apache-2.0
# What a signal handler or another thread maps while tracing begins is recorded,
# or counted as lost; wherever in the beginning that comes.
. "$(dirname "$0")/../lib.sh" python3 jq

trap '' USR1 # ignored until the program has its handler
for kind in static dynamic; do
	flag=
	[ $kind = dynamic ] || flag=-static
	wmcc -O1 -g -fno-builtin $flag -o "$kind" \
		"$progs/runtime/start_signal.c" 2>>build.log
done

# run COMMAND...: mapped, recorded, counted as lost
run() {
	rm -rf run
	head -c 4 /dev/zero >count
	WM_DIR=run "$@" >/dev/null 2>>err
	echo "$(od -An -i count)" "$("$dump" --summary \
		run/*.wm/rank-000000.${which:-wmt.xz} |
		jq -r '"\(.counts.MAP // 0) \(.info.dropped)"')"
}

# at_call N COMMAND...: with the signal as the kernel is entered for the Nth
# time, as the file calls has it.  strace counts each name by itself.
at_call() {
	local name times
	read -r name times < <(head -n "$1" calls | cut -d'(' -f1 |
		awk '{ n[$1]++; last = $1 } END { print last, n[last] }')
	run strace -o calls.now -e "inject=$name:signal=USR1:when=$times" \
		"${@:2}"
}

# each_call EVERY PROGRAM ARGS...: from the handler on until the end is written
each_call() {
	local i first last hits=0 bad=0 mapped recorded lost
	run strace -o calls "./$2.wm" "${@:3}" >/dev/null
	first=$(grep -n 'SIGUSR1, {' calls | head -1 | cut -d: -f1)
	last=$(grep -n '^gettid' calls | tail -1 | cut -d: -f1)
	for ((i = first + 1; i < last; i += i < first + 20 ? 1 : $1)); do
		read -r mapped recorded lost < <(at_call $i "./$2.wm" "${@:3}")
		hits=$((hits + mapped))
		[ "$mapped" = $((recorded + lost)) ] && continue
		# on a busy machine there are other calls than in the list, and
		# the signal may come after the end
		[ "$(grep -n '^--- SIGUSR1' calls.now | cut -d: -f1)" -gt \
			"$(grep -n '^gettid' calls.now | tail -1 |
				cut -d: -f1)" ] && continue
		echo "call $i: $mapped mapped, $recorded recorded, $lost lost"
		bad=1
	done
	[ $bad = 0 ] && [ $hits -gt 20 ]
}

if strace -o calls true 2>/dev/null; then
	for kind in static dynamic; do
		ok "$kind: a handler between any two calls of the kernel" \
			each_call "$(long_or 1 12)" $kind count
	done
	ok "dynamic: the same where malloc begins the trace" \
		each_call "$(long_or 1 12)" dynamic count malloc
else
	skip "a handler between any two calls of the kernel" "no strace"
fi

if [ "$(uname -m)" = x86_64 ]; then
	read -r mapped recorded lost < <(run ./dynamic.wm count thread)
	is "another thread's events, recorded or lost" \
		"$mapped $((recorded + lost))" "1001 1001"
	[ "$lost" = 0 ] || like "why is told" "$(tail -1 err)" \
		'not recorded: a thread had an event while another'
	which="child-*.wmt.xz" WM_CHILDREN=1
	export WM_CHILDREN
	for _ in 1 2 3 4 5 6 7 8; do
		read -r mapped recorded lost < <(run ./dynamic.wm count child)
		echo "$mapped $((recorded + lost))"
	done >child
	is "the same in a forked child" "$(sort -u child)" "1001 1001"
else
	skip "another thread's events" "a thread of x86-64"
	skip "the same in a forked child" "a thread of x86-64"
fi

done_testing
