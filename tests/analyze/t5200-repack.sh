# SPDX-License-Identifier: Apache-2.0
# run: rest
# wm-analyze --repack: smaller traces that say the same: every event, path and
# field, and every report; of damaged and killed ones, too.
. "$(dirname "$0")/../lib.sh" analyze-lib python3

# reports RUN: all that wm-analyze says, but for the size of the traces and for
# where in them damage is
reports() {
	local r f
	for r in summary functions leaks timeline snapshots; do
		for f in '' --json; do
			wm-analyze --$r $f --top all --rank all "$1" 2>&1 |
				sed -E 's/, [0-9.]+ ([KMGT]iB|bytes) of traces//
					s/block [0-9]+ at offset 0x[0-9a-f]+//
					s/ends at 0x[0-9a-f]+//
					/"trace_bytes"/d
					s/^( *the tool).*of traces [(][^)]*[)]/\1/'
		done
	done
	echo "status $(status wm-analyze "$1")"
}

# events RUN: what the independent reader sees, in any order
events() {
	local f
	find "$1" -name 'rank-*.wmt.xz' | sort | while read -r f; do
		echo "${f#"$1"}"
		python3 "$dump" "$f" | sort
	done
}

# same FILE FILE: equal, and what it says is of an answer
same() {
	grep -q -e '^status [04]$' -e '^[0-9]* [0-9]* ' "$1" ||
		! echo "no answer in $1" || return 1
	diff "$1" "$2" | cut -c 1-200 | head -5
	cmp -s "$1" "$2"
}

# repack RUN: before/x.1.wm and after/x.1.wm
repack() {
	rm -rf before after
	mkdir before after
	cp -a "$1" before/x.1.wm
	cp -a "$1" after/x.1.wm
	wm-analyze --repack after/x.1.wm >told 2>&1
	echo $? >left
}
size() { # RUN
	find "$1" -name 'rank-*.wmt.xz' -printf '%s\n' |
		awk '{ n += $1 } END { print n }'
}
round_trip() { # WHAT RUN
	repack "$2"
	is "$1: status" "$(cat left)" 0
	ok "$1: smaller" test "$(size after)" -lt "$(size before)"
	ok "$1: xz reads it" sh -c \
		'find after -name "rank-*.wmt.xz" -print0 | xargs -0 xz -t'
	events before/x.1.wm >events.0
	events after/x.1.wm >events.1
	ok "$1: all events" same events.0 events.1
	(cd before && reports x.1.wm) >reports.0
	(cd after && reports x.1.wm) >reports.1
	ok "$1: all reports" same reports.0 reports.1
	is "$1: nothing is left over" "$(find after -name '.*.repack')" ""
	like "$1: not a second time" \
		"$(wm-analyze --repack after/x.1.wm 2>&1)" "repacked before"
}

# ---- programs ----
wmcc -O1 -g -static -o churn "$SRC/tests/bench/churn.c"
WM_DIR=. WM_RUN_ID=1 ./churn.wm 15000
round_trip "C" churn.1.wm
WM_DIR=. WM_RUN_ID=2 WM_COMPRESS=store ./churn.wm 10000 realloc
round_trip "realloc" churn.2.wm
wmcc -O1 -g -pthread -o ring "$SRC/tests/bench/ring.c"
WM_DIR=. WM_RUN_ID=1 ./ring.wm 4000 >/dev/null
round_trip "threads" ring.1.wm
WM_CXX=g++ wmcxx -O1 -g -o words "$SRC/tests/bench/words.cpp" 2>words.err
WM_DIR=. WM_RUN_ID=1 ./words.wm 200 >/dev/null
round_trip "C++" words.1.wm

# ---- made up: generations, modules, names, kinds, ranks, old versions ----
description() {
	cat <<E
build-id 0123456789abcdef
block-events 40
level 0
$1
rank 0 of 2
churn 4000 50 30 7
t 1100000 phase one
thread 1
t 1100000 malloc 0x7000 4000 main<solve
t 1110000 realloc 0x7000 0x8000 9000 main<solve
t 1111000 failed 123 main<solve
t 1112000 out 0x8000
t 1113000 gone
generation
t 1114000 aligned 0x9000 77 main<solve<_Znwm
thread 0
modules
churn 5000 20 12 9
t 1300000 map 0x100000 8192 main<mapper
t 1300001 name 0x100000 matrix
t 1300002 unmap 0x100000 4096
t 1300003 snapshot here
end
rank 1 of 2
churn 300 5 12 9
end
E
}
description "clock tsc" | run made.wm
round_trip "two ranks" made.wm
description "field 999 unknown" | run fields.wm
round_trip "unknown fields" fields.wm
like "they are still there" "$(cat events.1)" "999: '756e6b6e6f776e'"
printf 'rank 0 of 1\nt 1100000 malloc 0x7000 4000 main<solve\nend\n' |
	run one.wm
repack one.wm
is "one event" "$(cat left) $(events before/x.1.wm | wc -l)" \
	"0 $(events after/x.1.wm | wc -l)"
{
	printf 'block-events 40\nrank 0 of 1\n'
	printf 'churn 2000 50 30 7\nskip 3\nchurn 2000 50 30 8\n'
	printf 'dropped 17\nend\n'
} | run gaps.wm
round_trip "lost blocks and events" gaps.wm
like "they are still told" "$(cat reports.1)" "3 blocks are missing"
mkdir many.wm many.wm/ranks-000000
cp made.wm/rank-000000.wmt.xz many.wm/ranks-000000/
cp made.wm/rank-000000.wmt.xz many.wm/ranks-000000/rank-000000.2.wmt.xz
cp made.wm/rank-000001.wmt.xz many.wm/
round_trip "sub-directories, two traces of a rank" many.wm

# ---- more blocks alive than handles ----
wmcc -O1 -static -o alive "$progs/report/alive.c"
WM_DIR=. WM_RUN_ID=1 WM_COMPRESS=store ./alive.wm
round_trip "70,000 blocks alive" alive.1.wm

# ---- more blocks than one Stream takes ----
streams() { # RUN
	xz --robot -lv "$1/rank-000000.wmt.xz" | grep -c ^stream
}
many() { # WHAT RUN
	repack "$2"
	is "$1: status" "$(cat left)" 0
	(cd before && reports x.1.wm) >reports.0
	(cd after && reports x.1.wm) >reports.1
	ok "$1: all reports" same reports.0 reports.1
	ok "$1: fewer Streams" test "$(streams before/x.1.wm)" -gt \
		$(($(streams after/x.1.wm) * 4))
}
wmcc -O1 -g -static -o live "$SRC/tests/bench/live.c"
WM_DIR=. WM_RUN_ID=1 WM_COMPRESS=store ./live.wm 5000 200000
many "random" live.1.wm
mkdir flips.1.wm
seen=
for at in 1 3 7 12 19 28 34 45 53 61 72 80 88 93 97; do
	python3 - after/x.1.wm/rank-000000.wmt.xz $at <<-'E'
	import sys
	b = bytearray(open(sys.argv[1], "rb").read())
	b[len(b) * int(sys.argv[2]) // 100] ^= 4
	open("flips.1.wm/rank-000000.wmt.xz", "wb").write(b)
	E
	seen="$seen $(status wm-analyze flips.1.wm)"
done
is "a flipped bit anywhere in it is seen" "${seen//[ 34]/}" ""
WM_DIR=. WM_RUN_ID=3 WM_COMPRESS=store ./churn.wm 450000 realloc
many "reallocs" churn.3.wm
ok "reallocs: more than one Stream of joined blocks" \
	test "$(streams after/x.1.wm)" -gt 2

# ---- killed, damaged, cut off ----
wmcc -O1 -g -fno-builtin -static -pthread -o killed \
	"$SRC/tests/progs/killed.c"
# Enough calls that blocks are written before the end: a trace whose events
# are all in the window has nothing to pack.
(WM_DIR=. WM_RUN_ID=1 ./killed.wm progress 4 40000 kill) 2>/dev/null
ok "killed: blocks were written" test "$(size killed.1.wm)" -gt 100000
round_trip "killed" killed.1.wm
ok "killed: the window stays" test -s after/x.1.wm/rank-000000.wmw

python3 - churn.1.wm/rank-000000.wmt.xz <<'E'
import os, sys
data = open(sys.argv[1], "rb").read()
for name, at, cut in (("flip", len(data) * 3 // 4, len(data)),
                      ("cut", 0, len(data) * 2 // 3)):
    os.makedirs(name + ".wm")
    b = bytearray(data[:cut])
    b[at] ^= 16 if at else 0
    open(name + ".wm/rank-000000.wmt.xz", "wb").write(b)
E
for how in flip cut; do
	cp churn.1.wm/program.wmc.xz $how.wm
	repack $how.wm
	is "$how: from a part" "$(cat left)" 4
	ok "$how: smaller" test "$(size after)" -lt "$(size before)"
	(cd before && reports x.1.wm) >reports.0
	(cd after && reports x.1.wm) >reports.1
	ok "$how: all reports" same reports.0 reports.1
done
mkdir bad.wm
echo nonsense >bad.wm/rank-000000.wmt.xz
is "nothing readable" "$(status wm-analyze --repack bad.wm)" 3
is "it stays" "$(cat bad.wm/rank-000000.wmt.xz)" nonsense

# ---- files ----
cp -a churn.1.wm here.1.wm
chmod 640 here.1.wm/rank-000000.wmt.xz
echo stale >here.1.wm/.rank-000000.wmt.xz.repack
touch -d '2001-02-03 04:05:06' here.1.wm/rank-000000.wmt.xz
touch -d '2001-02-03 04:05:07' here.1.wm
attributes() {
	stat -c '%a %u %g %Y' here.1.wm/rank-000000.wmt.xz
}
before=$(attributes)
ok "in place" wm-analyze --repack here.1.wm/
is "owner, mode and time stay" "$(attributes)" "$before"
is "what an interrupted run left is gone" \
	"$(find here.1.wm -name '.*')" ""
ok "a copy" wm-analyze -q --repack --output out/deep churn.1.wm made.wm many.wm
is "with all that lies beside" \
	"$(cd out/deep && find . -type f | sort)" \
	"$(find ./churn.1.wm ./made.wm ./many.wm -type f | sort)"
# what somebody has put into a run directory, and who repacks may read
cp -r many.wm planted.wm
echo secret >private
mkdir privates
echo secret >privates/file
echo notes >planted.wm/notes
ln -s ../private planted.wm/notes2
ln -s "$W/private" planted.wm/rank-000007.wmw
ln -s ../privates planted.wm/ranks-001024
mkfifo planted.wm/pipe
timeout 60 wm-analyze -q --repack --output out planted.wm 2>err
is "links in a run directory: status" $? 0
is "nothing of what they lead to is copied" \
	"$(grep -rl secret out)$(find out -name 'notes2*' -o -name '*.wmw')" ""
is "each of them is named" "$(sort err)" "$(printf "wm-analyze: \
'planted.wm/%s' is a link, which is not copied\n" notes2 rank-000007.wmw \
	ranks-001024)"
is "other files are" "$(cat out/planted.wm/notes)" notes
cp "$(find churn.1.wm -name "rank-*.wmt.xz" | head -1)" alone.wmt.xz
ln -s private alone.wmw
wm-analyze -q --repack --output out alone.wmt.xz 2>err
is "nor what a window leads to" "$? $(ls out/alone.wm*) $(cat err)" "0 \
out/alone.wmt.xz wm-analyze: 'alone.wmw' is a link, which is not copied"
is "never over another" \
	"$(status wm-analyze --repack --output out/deep churn.1.wm)" 3
is "--output is for all reports" "$(status wm-analyze --output x made.wm;
	cmp x <(wm-analyze made.wm))" 0
is "no JSON" "$(status wm-analyze --repack --json made.wm)" 2
printf 'rank 0 of 1\nchurn 2000 50 30 7\n' | run runs.wm
like "a trace of another node without end waits" \
	"$(wm-analyze --repack runs.wm 2>&1)" "may still write it"

done_testing
