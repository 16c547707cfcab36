# SPDX-License-Identifier: Apache-2.0
# Page accesses (WM_PAGES) below a limit on memory (control groups): a program
# comes as far as without, and forks where there is no room for a second copy.
# run: rest
. "$(dirname "$0")/../lib.sh" jq

# ---- a group with a limit, of either version ----
group=
for mount in /sys/fs/cgroup /sys/fs/cgroup/memory; do
	dir=$mount/wmtest.$$
	mkdir "$dir" 2>/dev/null || continue
	for most in memory.max memory.limit_in_bytes; do
		[ -z "$group" ] && [ -w "$dir/$most" ] && group=$dir
	done
	[ "$group" = "$dir" ] || rmdir "$dir"
done
[ -n "$group" ] || skip_all "no right to a control group of memory"
# all that was in it has ended; the kernel may take a moment
trap 'cd /; rm -rf "$W"; for i in 1 2 3 4 5; do
	rmdir "$group" 2>/dev/null && break; sleep 0.2; done' EXIT

limit() { # BYTES
	if [ -e "$group/memory.max" ]; then
		echo "$1" >"$group/memory.max"
		echo 0 2>/dev/null >"$group/memory.swap.max"
	else
		echo "$1" >"$group/memory.limit_in_bytes"
		echo "$1" 2>/dev/null >"$group/memory.memsw.limit_in_bytes"
	fi
	true
}

below() { # COMMAND...
	bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@"
}

ok "limited builds" wmcc -O1 -g -static -fno-builtin -o limited \
	"$progs/pages/limited.c"
WM_DIR=once WM_PAGES=50 ./limited.wm fork 8192 >out 2>err
grep -q 'WM_PAGES: ' err && skip_all "the kernel cannot tell: $(cat err)"

# ---- until it is killed ----
ok "a limit can be set" limit $((128 << 20))
reach() { # WHAT COMMAND...: into $reached
	rm -rf run left
	{ WM_DIR=run below timeout $stuck "${@:2}" left; } 2>/dev/null
	is "$1: killed" $? 137
	reached=$(($(cat left)))
}
for step in 100000 4000000; do
	WM_PAGES='' reach "without, by $step" ./limited grow $step
	without=$reached
	for interval in 10 3600000; do
		WM_PAGES=$interval reach "$interval ms, by $step" \
			./limited.wm grow $step
		# the runtime has some memory of its own, and twice the page
		# tables
		ok "the same point: $without and $reached" \
			[ $((without - reached)) -le $((6 << 20)) -a \
			$((reached - without)) -le $((2 << 20)) ]
	done
done

# ---- a fork with more than half of it ----
for interval in 10 3600000; do
	rm -rf run
	WM_DIR=run WM_PAGES=$interval below timeout $stuck ./limited.wm fork \
		$((80 << 20)) >out 2>&1
	is "fork, $interval ms: as without" "$(cat out)" "child: 0, own: 1"
	"$SRC/tests/tools/wmt-dump" --pages run/*/rank-000000.wmt.xz >dump.json
	like "fork, $interval ms: the trace says why pages end" \
		"$(jq -r .end dump.json)" 'no memory for a second copy'
done
rm -rf run
WM_DIR=run WM_PAGES=10 below timeout $stuck ./limited.wm fork $((40 << 20)) >out 2>&1
is "fork with less than half: as without" "$(cat out)" "child: 0, own: 1"
"$SRC/tests/tools/wmt-dump" --pages run/*/rank-000000.wmt.xz >dump.json
is "and pages go on" "$(jq -r .end dump.json)" null
done_testing
