# SPDX-License-Identifier: Apache-2.0
# What was before a trace cannot be written any more stays, and is read:
# chroot, a limit on file sizes, a full disk.
. "$(dirname "$0")/../lib.sh"

# Files that are mapped must be on a file system that is safe for them.
place=$W
case $(stat -f -c %T "$W") in
ext2/ext3 | tmpfs | xfs) ;;
*)
	place=/dev/shm/${W##*/}
	mkdir "$place" || skip_all "no file system for a window"
	trap 'cd /; rm -rf "$W" "$place"' EXIT
	;;
esac
cd "$place" || exit 1
mkdir empty
wmcc -O1 -fno-builtin -static -o stopped "$progs/stopped.c" || exit 1
wmcc -O1 -fno-builtin -o dstopped "$progs/stopped.c" || exit 1

run() { # PROGRAM HOW BEFORE AFTER
	rm -rf run
	WM_DIR=$PWD/run "./$1.wm" "$2" "$3" "$4" 2>err
}
json() {
	wm-analyze --quiet --json run/*.wm 2>/dev/null | jq -c "$1"
}

for p in stopped dstopped; do
	for how in chroot limit; do
		[ $how = limit ] || [ "$(id -u)" = 0 ] || {
			skip "$p: chroot" "not root"
			continue
		}
		for before in 100 30000; do
			# what comes after fits into the buffer, or does not
			for after in 0 500 30000; do
				what="$p, $how, $before and $after"
				run $p $how $before $after
				is "$what: same end" $? 7
				base=$(json '[.events.malloc + .events.dropped,
					.events.free, .events.dropped] |
					"\(.[0]) \(.[1]) \(.[2])"' | tr -d '"')
				read -r _ frees dropped <<<"$base"
				ok "$what: what was before is there" \
					test "$frees" -ge $before
				ok "$what: each event is there, or counted" \
					test "$(json '.events | .malloc + .free
					+ .dropped')" -ge \
					$((2 * (before + after)))
				[ $after = 30000 ] || is \
					"$what: nothing is dropped" "$dropped" 0
			done
		done
		is "$p, $how: not complete, and nothing unknown is lost" \
			"$(json '[.run.complete, .run.lost_end_ranks]')" \
			'[false,[]]'
		like "$p, $how: the report says why" "$(wm-analyze run/*.wm \
			2>&1 >/dev/null | tr '\n' ' ')" \
			"has no end, because the end could not be written; .* events were drop\
ped: cannot write '.*rank-000000.wmt.xz': (no such file|file too large)"
		run $p $how 100 0
		like "$p, $how: and says it when nothing was dropped" \
			"$(wm-analyze run/*.wm 2>&1 >/dev/null)" \
			"has no end, because the end could not be written: cannot write '"
	done
done
if [ "$(id -u)" = 0 ]; then
	run stopped chroot 100 0
	like "one line at the end" "$(cat err)" \
		"^wmtrace: the end was not recorded: cannot write '"
fi

# The end alone would still fit: it would say that the window does not count.
rm -rf run
(
	ulimit -f 32
	WM_BUFFER=1M WM_COMPRESS=store WM_DIR=$PWD/run ./stopped.wm none 20000 0
) 2>err
is "a limit from the start: same end" $? 7
ok "a limit from the start: what fits neither trace nor window is counted" \
	test "$(json '.events | .malloc + .free + .dropped')" -ge 40000

# ---- all is dropped ----
rm -rf run
(
	ulimit -f 16
	WM_WINDOW=0 WM_BUFFER=1M WM_COMPRESS=store WM_DIR=$PWD/run \
		./stopped.wm none 20000 0
) 2>err
is "all is dropped: it is" "$(json '[.events.malloc, .events.free,
	.events.dropped >= 40000, .run.complete]')" '[0,0,true,false]'
wm-analyze run/*.wm >text 2>&1
like "all is dropped: the report says so" "$(cat text)" \
	'events were dropped: cannot write .*file too large'
is "all is dropped: nobody says that nothing was allocated" \
	"$(grep -c 'allocated nothing' text)" 0

# ---- /proc is not mounted ----
if [ "$(id -u)" = 0 ]; then
	mkdir -p bare/sub
	wmcc -g -O1 -static -fno-builtin -o bare/sub/app "$progs/empty.c"
	(cd bare/sub && WM_RUN_ID=1 chroot .. sub/app.wm) 2>err
	is "without /proc: silent" "$(cat err)" ""
	is "without /proc: the program is what was started, and has names" \
		"$(wm-analyze -q --json bare/app.1.wm 2>err |
			jq -r .run.exe) $(cat err)" \
		"/sub/app.wm "
	like "without /proc: the bundle is kept" "$(ls bare/app.1.wm)" \
		program.wmc.xz
fi
cd /
done_testing
