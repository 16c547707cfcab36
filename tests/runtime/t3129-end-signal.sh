# SPDX-License-Identifier: Apache-2.0
# What a signal handler maps as the process ends is recorded, or counted as
# lost: after whichever instruction it comes before signals are blocked.
. "$(dirname "$0")/../lib.sh" python3 jq
[ "$(uname -m)" = x86_64 ] || skip_all "traps of x86-64"

# step PROGRAM N: its exit status
step() {
	rm -rf run
	head -c 4 /dev/zero >count
	WM_DIR=run "./$1.wm" count "$2" >/dev/null 2>>err
	echo $?
}

# mapped: the events MAP of the trace, and those counted as lost
mapped() {
	"$dump" --summary run/*.wm/rank-000000.wmt.xz |
		jq -r '(.counts.MAP // 0) + .info.dropped'
}

# after_each PROGRAM: the last 40 instructions before signals are blocked
after_each() {
	local n last bad=0
	[ "$(step "$1" 1000000)" = 133 ] # 128 + SIGTRAP
	last=$(($(od -An -i count)))
	[ "$last" -gt 40 ]
	for ((n = last - 40; n <= last; n++)); do
		[ "$(step "$1" $n)" = 0 ]
		[ "$(mapped)" = "$2" ] && continue
		echo "instruction $n of $last: $(mapped) mapped, not $2"
		bad=1
	done
	[ $bad = 0 ]
}

for kind in static dynamic; do
	flag=
	[ $kind = dynamic ] || flag=-static
	wmcc -O1 -g -fno-builtin $flag -o $kind \
		"$progs/runtime/end_step.c" 2>>build.log
	# its first instruction is none of ours: nothing is lost there
	step $kind 1 >/dev/null
	ok "$kind: a handler after any instruction of the end" \
		after_each $kind "$(mapped)"
done

done_testing
