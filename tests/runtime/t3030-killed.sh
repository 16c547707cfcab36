# SPDX-License-Identifier: Apache-2.0
# Whatever ends the process: every event that it recorded is in the analysis,
# or the loss is counted and told, and the program's own fate is unchanged.
# run: long
. "$(dirname "$0")/../lib.sh" python3
killer=$SRC/tests/tools/killer
chmod 755 "$W" # other users take part
clean_up() {
	cd /
	for m in "$W"/small "$W"/over/all; do
		mountpoint -q "$m" && umount "$m"
	done
	[ -z "${group:-}" ] || rmdir "$group"
	rm -rf "$W"
}
trap clean_up EXIT

for kind in static dynamic; do
	flag=
	[ $kind = dynamic ] || flag=-static
	wmcc -O1 -g -fno-builtin $flag -pthread -o killed-$kind \
		"$SRC/tests/progs/killed.c" 2>>build.log
done
wmcc -O1 -g -fno-builtin -static -o count "$SRC/tests/progs/count.c"
gcc -O1 -static -o quota "$SRC/tests/progs/quota.c"

# ---- SIGKILL at any moment; WM_KILLS=1000 for the full proof ----
kills=${WM_KILLS:-$(long_or 400 100)}
ok "SIGKILL at $((kills * 2 / 5)) moments, one thread" timeout 3000 \
	"$killer" ./killed-static.wm 1 $((kills * 2 / 5))
ok "SIGKILL at $((kills * 2 / 5)) moments, four threads" timeout 3000 \
	"$killer" ./killed-static.wm 4 $((kills * 2 / 5))
ok "SIGKILL at $((kills / 5)) moments, four threads, dynamic" timeout 3000 \
	"$killer" ./killed-dynamic.wm 4 $((kills / 5))
not_ok "without a window the same test finds the loss" \
	env WM_WINDOW=0 timeout 300 "$killer" ./killed-static.wm 1 3

# ---- other ends ----
run() { # COMMAND...: in an empty run directory; prints its status
	rm -rf run progress
	WM_DIR=${DIR:-run} timeout -s INT 120 "$@" 2>err
	echo $?
}
for how in abort segv kill; do
	plain=$(run ./killed-static progress 4 20000 $how)
	is "$how: the same fate" "$(run ./killed-static.wm progress 4 20000 \
		$how)" "$plain"
	[ $how != kill ] || is "$how: the footprint is older than the events" \
		"$(wm-analyze --quiet --json run/*.wm 2>analyze.err |
			jq -c '[.run.window_events > 0, .heap.footprint.max]')" \
		'[true,null]'
	ok "$how: nothing is lost" "$killer" --check ./killed-static.wm run 4 \
		progress
done

get() { # JQ-EXPRESSION: of the only run
	wm-analyze --quiet --json "${DIR:-run}"/*.wm 2>analyze.err |
		jq -c "$1"
}
notes() { get '.run.notes[]'; }
calls() { # PAIRS: that count.wm has made, with those of libc
	echo $((2 * $1 + base))
}
run ./count.wm 100 >/dev/null
base=$(get '.events.total - 200')
# all of them are accounted for: the sum of the events and of what was dropped
told='[.events.total + .events.dropped, .events.dropped > 0,
	.run.lost_end_ranks]'

# ---- no window ----
export WM_WINDOW=0
is "no window: the same fate" "$(run ./count.wm 100000 kill)" 137
unset WM_WINDOW
like "no window: the loss is told" "$(notes)" \
	'the last ones \(up to 16384\) of each thread are lost'
is "no window: in the JSON, too" "$(get .run.lost_end_ranks)" '[0]'
is "no window: no more is lost than that" \
	"$(get ".events.total > $(calls 100000) - 16384")" true

# ---- a window elsewhere ----
export WM_WINDOW_DIR=$W/windows
is "WM_WINDOW_DIR: the same fate" "$(run ./count.wm 1000 kill)" 137
like "WM_WINDOW_DIR: the window is there" "$(ls windows)" \
	'^count\..*\.rank-000000\.wmw$'
is "WM_WINDOW_DIR: nothing is lost" "$(get "$told")" "[$(calls 1000),false,[]]"
is "the independent reader says the same" "$("$dump" --summary \
	run/*/rank*.xz | jq '.counts.MALLOC + .counts.CALLOC + .counts.FREE')" \
	"$(calls 1000)"
mv windows/* "$(echo run/*)/rank-000000.wmw"
is "moved beside the trace it is found, too" "$(get .events.total)" \
	"$(calls 1000)"
rm run/*/rank-000000.wmw
is "without it the loss is told" "$(get .run.lost_end_ranks)" '[0]'
like "and which file is missing" "$(notes)" "its window '$W/windows/count"
run ./count.wm 1000 >/dev/null
is "an orderly end leaves no window" "$(ls windows)" ""
export WM_WINDOW_DIR=$W/count/below
is "WM_WINDOW_DIR cannot be had: the same fate" "$(run ./count.wm 10)" 0
like "WM_WINDOW_DIR cannot be had: said" "$(cat err)" \
	"^wmtrace: WM_WINDOW_DIR='.*': not a directory; "
unset WM_WINDOW_DIR

# ---- names that are taken ----
export WM_RUN_ID=one
run ./count.wm 1000 kill >/dev/null
sum=$(cat run/*/*.wmw | sha256sum)
rm run/*/*.xz
WM_DIR=run ./count.wm 1000
is "a window of another run is not touched" \
	"$(cat run/*/rank-000000.wmw | sha256sum)" "$sum"
is "the trace takes another name" "$(cd run/*/ && ls | grep rank)" \
	"rank-000000.2.wmt.xz
rank-000000.wmw"
cp run/*/rank-000000.wmw stolen.wmw
run ./count.wm 1000 kill >/dev/null
cp stolen.wmw run/*/rank-000000.wmw
like "a window of another process is refused" "$(notes)" \
	'rank-000000.wmw.: belongs to another process'
unset WM_RUN_ID

# ---- call paths ----
wmcc -O1 -g -fno-builtin -static -o paths "$progs/runtime/killed_paths.c" -ldl
wmcc -O1 -g -fno-builtin -DPLUG -o paths-dynamic "$progs/runtime/killed_paths.c" -ldl
echo 'void *malloc(unsigned long); void *p; void *plug_it_in(void)
{ p = malloc(99); return p; }' >plug.c
gcc -shared -fPIC -O1 -g -o plug.so plug.c
run ./paths.wm deep >/dev/null
is "a path longer than a journal: nothing is lost" \
	"$(get '[.run.lost_end_ranks, (.run.window_events > 0)]')" '[[],true]'
is "a path longer than a journal: its function" \
	"$(get '[.functions[] | select(.bytes == 77).name]')" '["deep"]'
is "a path longer than a journal: its frames" "$("$dump" run/*/rank*.xz |
	awk '$5 == 77 {print (NF > 20000)}')" 1
run ./paths.wm many >/dev/null
is "more paths than a dictionary holds: nothing is lost" \
	"$(get '[.events.malloc > 150000, .events.dropped,
	.run.lost_end_ranks]')" '[true,0,[]]'
is "more paths than a dictionary holds: all are there" "$("$dump" --summary \
	run/*/rank*.xz | jq '.paths > 150000')" true
run ./paths-dynamic.wm plug >/dev/null
is "a library that was just opened is known" \
	"$(get '.functions[] | select(.bytes == 99).name')" '"plug_it_in"'

# ---- disks ----
limited() { # WHAT REASON COMMAND...: the trace cannot grow beyond some size
	local what=$1 reason=$2
	shift 2
	is "$what: the same fate" "$(run "$@" ./count.wm 400000)" 0
	like "$what: said" "$(cat err)" "^wmtrace: [0-9]+ events .*$reason$"
	is "$what: what was lost is counted" "$(get "$told")" \
		"[$(calls 400000),true,[]]"
	ok "$what: xz accepts the trace" sh -c "xz -t ${DIR:-run}/*/rank*.xz"
	is "$what, killed: the same fate" \
		"$(run "$@" ./count.wm 400000 kill)" 137
	is "$what, killed: what was lost is counted" "$(get "$told")" \
		"[$(calls 400000),true,[]]"
}
limited "file size limit" "file too large" \
	bash -c 'ulimit -f 1000; exec "$@"' -
limited "quota" "disk quota exceeded" ./quota 300000 4000000000
is "quota against the window: the same fate" \
	"$(run ./quota 4000000000 300000 ./killed-static.wm progress 4 20000 \
	kill)" 137
is "quota against the window: the loss is told" \
	"$(get .run.lost_end_ranks)" '[0]'
like "quota against the window: of how many threads" "$(notes)" \
	'\(up to 16384\) of [1-4] of its threads are lost'
if [ "$(id -u)" != 0 ]; then
	skip "disks" "mounting needs root"
elif ! { truncate -s 8M small.img && mkfs.ext4 -q -m 0 small.img &&
	mkdir small && mount -o loop small.img small; } 2>mount.err; then
	skip "full disk" "$(tail -1 mount.err)"
else
	DIR=small/run
	# 1.5 MB are left: 0.5 for the window, 1 for the trace
	fill() {
		rm -rf small/run small/fill
		fallocate -l $(($(df --output=avail -B1 small | tail -1) -
			$1)) small/fill
	}
	run() {
		fill "${room:-1500000}"
		WM_DIR=small/run timeout -s INT 120 "$@" 2>err
		echo $?
	}
	limited "full disk" "no space left on device"
	room=200000
	is "no room for a window: the same fate" \
		"$(run ./count.wm 100000 kill)" 137
	is "no room for a window: the loss is told" \
		"$(get .run.lost_end_ranks)" '[0]'
	unset DIR
	umount small
fi
run() {
	rm -rf run progress
	WM_DIR=${DIR:-run} timeout -s INT 120 "$@" 2>err
	echo $?
}
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	mkdir locked
	DIR=locked
	is "unwritable directory: the same fate" "$(run setpriv --reuid 65534 \
		--clear-groups ./count.wm 1000)" 0
	is "unwritable directory: what was lost is counted" "$(cat err)" \
		"wmtrace: $(calls 1000) events of memory use were not recorded:$(
		) cannot write '$W/locked/$(sed 's|.*/locked/||' err)"
	like "unwritable directory: said" "$(cat err)" "permission denied$"
	unset DIR
else
	skip "unwritable directory" "needs root and setpriv"
fi
mkdir -p over/top over/work over/all
if [ "$(id -u)" = 0 ] && mount -t overlay overlay -o \
	"lowerdir=$W,upperdir=over/top,workdir=over/work" over/all 2>/dev/null
then
	DIR=over/all/run
	is "overlay: the same fate" "$(run ./count.wm 100000 kill)" 137
	is "overlay has no window" "$(find over/all/run -name '*.wmw')" ""
	is "overlay: the loss is told" "$(get .run.lost_end_ranks)" '[0]'
	unset DIR
	umount over/all
else
	skip "overlay" "no right to mount one"
fi

# ---- out of memory ----
memory_group() { # BYTES: sets $group
	local base=/sys/fs/cgroup
	if [ -d $base/memory ]; then
		group=$base/memory/wmtest.$$
		mkdir "$group" && echo "$1" >"$group/memory.limit_in_bytes" || return
		echo "$1" 2>/dev/null >"$group/memory.memsw.limit_in_bytes"
	else
		group=$base/wmtest.$$
		mkdir "$group" && echo "$1" >"$group/memory.max" || return
		echo 0 2>/dev/null >"$group/memory.swap.max"
	fi
}
if memory_group 67108864 2>group.err; then
	in_group() {
		run bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' \
			"$group" "$@"
	}
	is "out of memory: the plain program is killed" \
		"$(in_group ./count 0 oom progress)" 137
	is "out of memory: the same fate" \
		"$(in_group ./count.wm 0 oom progress)" 137
	blocks=$(od -An -tu8 -N8 progress | tr -d ' ')
	# the mapping of the file, and perhaps a block that is not counted yet
	is "out of memory: nothing is lost" "$(get "[.events.total - $base -
		$blocks | . == 1 or . == 2] + ${told}[1:]")" '[true,false,[]]'
	is "out of memory: what it held" \
		"$(get ".heap.peak.max >= 10000 * $blocks")" true
else
	group=
	skip "out of memory" "no memory cgroup: $(tail -1 group.err)"
fi
done_testing
