# SPDX-License-Identifier: Apache-2.0
# The tool's own memory: no more than it says, and a program that fits without
# it fits with it when it is given so much more; below that it fails as it
# would without, and never by our fault.
. "$(dirname "$0")/../lib.sh" analyze-lib python3
for p in fit paths threads deep; do
	wmcc -O1 -fno-builtin -fno-omit-frame-pointer -pthread -static -o $p \
		"$SRC/tests/progs/$p.c" ||
		skip_all "no static programs here"
done
wmcc -O1 -fno-builtin -pthread -o fit-dynamic "$SRC/tests/progs/fit.c"

traced() { # COMMAND...: in a fresh run directory, timed
	rm -rf run
	WM_DIR=$W/run "$@" 2>err >out
}
tool() { # EXPRESSION of the numbers of the run, t
	wm-analyze -q --json run/*.wm >json 2>/dev/null
	python3 -c '
import json, sys
j = json.load(open("json"))
t = j["tool"]
print(eval(sys.argv[1].replace("\n", " ")))' "$1"
}

# ---- what it says is what it takes ----
bound='t["start_bytes"] + t["thread_bytes"] * (n - 1) + t["paths_bytes"]'
within() { # DESCRIPTION THREADS COMMAND...
	local what=$1 n=$2
	shift 2
	traced "$@"
	is "$what: within what it says" "$(tool "$(echo "t['memory_bytes'] <=
		$bound" | sed "s/\<n\>/$n/")")" True
	ok "$what: $(tool 't["memory_bytes"], t["resident_bytes"]')" \
		test "$(tool 't["resident_bytes"] <= t["memory_bytes"]')" = True
}
within "one thread" 1 ./fit.wm 16
is "one thread: all of it there at start, a window's slot aside" \
	"$(tool 't["memory_bytes"] <= t["start_bytes"]')" True
within "more paths than the dictionary holds" 1 ./paths.wm
within "50 threads alive" 51 ./fit.wm 16 50
within "small buffers" 51 env WM_BUFFER=4K ./fit.wm 16 50
is "small buffers: a thread takes less than 330,000 bytes" \
	"$(tool 't["thread_bytes"] < 330000')" True
within "large buffers" 51 env WM_BUFFER=1M ./fit.wm 16 50
within "the highest level" 1 env WM_COMPRESS=9 ./paths.wm
within "no window" 1 env WM_WINDOW=0 ./paths.wm

# ---- WM_MEMORY ----
within "WM_MEMORY" 1 env WM_MEMORY=12M ./paths.wm
is "WM_MEMORY: that is all" "$(tool 't["start_bytes"], t["thread_bytes"],
	t["paths_bytes"]')" "(12582912, 0, 0)"
is "WM_MEMORY: all events, if paths are sent more often" \
	"$(tool 'j["run"]["complete"]')" True
traced env WM_MEMORY=12M ./fit.wm 16
is "WM_MEMORY: touched at start" "$(tool 't["resident_bytes"] > 10 << 20')" True
traced env WM_MEMORY=12M ./fit.wm 16 50
like "WM_MEMORY: threads that find no room are not traced, and that is said" \
	"$(cat err)" '^wmtrace: [0-9]+ events .*memory for a thread.s buffer$'
is "WM_MEMORY: nor is the program harmed" "$(cat out)" 16
is "WM_MEMORY: all others are" "$(tool 'j["ranks"][0]["threads"] > 3,
	j["heap"]["peak"]["max"] >= 16 << 16')" "(True, True)"
traced env WM_MEMORY=1M ./fit.wm 16
like "WM_MEMORY: too little" "$(cat err)" \
	'^wmtrace: WM_MEMORY is too small; taking [0-9]+K$'
is "WM_MEMORY: then what is needed" "$(tool 'j["run"]["complete"]')" True
traced env WM_MEMORY=9M ./deep.wm 200000
is "WM_MEMORY: a path that is too deep ends no program" $? 0
is "WM_MEMORY: and is counted" "$(tool 'j["run"]["cut_path_events"]')" 1
for way in libunwind fp; do
	traced env WM_MEMORY=9M WM_UNWIND=$way ./deep.wm 200000
	is "WM_MEMORY, WM_UNWIND=$way: likewise, and no event is lost" \
		"$? $(tool 'j["run"]["cut_path_events"], j["events"]["dropped"]')" \
		"0 (1, 0)"
done
like "WM_MEMORY: wm-analyze says so" \
	"$(wm-analyze run/*.wm 2>&1 >/dev/null; echo "status $?")" \
	'the call path of 1 event is not whole.*
status 4$'
traced ./deep.wm 200000
is "memory as needed: the path is whole" \
	"$(tool 'j["run"]["cut_path_events"], j["run"]["complete"]')" "(0, True)"

# ---- limits on address space ----
# The least limit in KiB with which a command succeeds.
least() {
	local low=0 high=400000 mid
	while [ $((high - low)) -gt 4 ]; do
		mid=$(((low + high) / 2))
		if limited $mid "$@" >/dev/null 2>&1; then
			high=$mid
		else
			low=$mid
		fi
	done
	echo $high
}
limited() { # KIB COMMAND...
	local kib=$1
	shift
	(ulimit -$limit $kib; exec "$@")
}
sweep() { # DESCRIPTION THREADS PROGRAM ARGUMENT...
	local what=$1 n=$2 program=$3 min figure bad= whole=0 l s
	shift 3
	min=$(least "$program" "$@")
	# the dictionary is bounded at start where there is a limit
	traced limited $((min + 40000)) "$program.wm" "$@"
	figure=$(($(tool "$(echo "$bound" | sed "s/\<n\>/$n/")") / 1024 + 1))
	traced limited $((min + figure)) "$program.wm" "$@"
	s=$?
	is "$what: fits with $figure KiB more than the $min it needs" "$s" 0
	is "$what: and is traced" "$(tool 'j["run"]["complete"]')" True
	for ((l = min - 40; l < min + figure; l += figure / 7)); do
		traced limited $l "$program.wm" "$@"
		s=$?
		# as malloc fails, as the loader or the kernel refuses
		case $s in
		0) whole=$((whole + 1)) ;;
		1) ;;
		*) limited $l "$program" "$@" >/dev/null 2>&1
			[ $? = $s ] || bad="$bad $l:$s" ;;
		esac
	done
	is "$what: below that it fails as it would" "$bad" ""
}
for limit in v d; do
	sweep "ulimit -$limit, one thread" 1 ./fit 160
done
sweep "ulimit -$limit, 8 threads" 9 ./fit 160 8
limit=v
sweep "dynamic" 1 ./fit-dynamic 160
bad=
for ((l = 2000; l < 60000; l += 7000)); do
	traced limited $l ./fit.wm 0 ||
		bad="$bad $l:$?"
	n=$(limited $l ./fit 0)
	[ $((n - $(cat out))) -le $((12 * 16)) ] || bad="$bad $l:$n:$(cat out)"
done
is "allocating until there is no more, at every limit: the same end" "$bad" ""
traced limited 6000 ./fit.wm 16
like "too little to begin with is said" "$(cat err)" \
	'^wmtrace: nothing is traced: the limits on memory leave too little$'

# ---- resident, in a memory cgroup ----
highest() { # COMMAND...: the most that the group held, in bytes
	local g=/sys/fs/cgroup/memory/wmtest.$$ f=memory.max_usage_in_bytes
	[ -d /sys/fs/cgroup/memory ] || {
		g=/sys/fs/cgroup/wmtest.$$
		f=memory.peak
	}
	mkdir $g 2>/dev/null && [ -e $g/$f ] || return 1
	WM_DIR=$W/run bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' $g \
		"$@" >/dev/null 2>&1
	cat $g/$f
	rmdir $g
}
rm -rf run
if plain=$(highest ./fit 400) && [ -n "$plain" ]; then
	with=$(highest ./fit.wm 400)
	kept=$(du -sB1 run | cut -f1)
	ok "a memory cgroup: $((with - plain)) bytes more, $kept of them files" \
		test $((with - plain)) -le \
		$(($(tool 't["memory_bytes"]') + kept + (2 << 20)))
else
	skip "a memory cgroup" "none to be had"
fi
# ---- memory that is locked ----
wmcc -O1 -fno-builtin -fno-optimize-sibling-calls -pthread -static -o locked \
	"$progs/jobs/locked.c"
./locked
case $? in
0)
	traced ./locked.wm
	is "memory that mlockall() has locked" "$? $(tool \
		'j["run"]["complete"]')" "0 True" ;;
*)
	skip "memory that mlockall() has locked" "no right to lock memory" ;;
esac
done_testing
