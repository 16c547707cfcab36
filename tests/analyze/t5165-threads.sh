# SPDX-License-Identifier: Apache-2.0
# --by threads: the peak of each thread, threads as roots of trees.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib wmcc-lib

# Two workers and a helper; the helper frees a worker's block, main cuts the
# helper's mapping, a worker's realloc takes over main's block.
run app.1.wm <<'E'
elf app
build-id 0011
rank 0 of 1
t 1000010 malloc 0x1000 1000 main<setup
t 1000011 malloc 0x1800 50 main
thread 1
t 1000020 malloc 0x2000 3000 start_thread<worker<grow
t 1000030 free 0x2000
t 1000031 malloc 0x2000 2500 start_thread<worker
thread 2
t 1000040 malloc 0x3000 2000 start_thread<worker<grow
t 1000041 realloc 0x1800 0x1900 60 start_thread<worker
thread 3
t 1000050 map 0x10000 16384 start_thread<helper
t 1000060 free 0x3000
t 1000061 failed 100 start_thread<helper
thread 4
t 1000070 malloc 0x4000 7 cut
thread 0
t 1000080 unmap 0x11000 4096
t 1000090 free 0x1000
end
E
list='[(t["name"], t["peak_bytes"], t["bytes"], t["end_bytes"],
	t["allocations"], t["freed_by_others"]) for t in j["by_thread"]["threads"]]'
is "threads: peak, then, at the end, allocations, freed by others" \
	"$(json "$list" --functions --by threads app.1.wm | sed 's/), /)\n/g')" \
	"[('thread 3 (helper)', 16384, 16384, 12288, 1, 1)
('thread 1 (worker)', 3000, 2500, 2500, 2, 0)
('thread 2 (worker)', 2060, 2060, 60, 2, 1)
('main thread', 1050, 1000, 0, 2, 1)
('thread 4', 7, 0, 7, 1, 0)]"
is "and who they are" "$(json '[(t["thread"], t["tid"], t["kind"], t["start"])
	for t in j["by_thread"]["threads"]]' --functions --by threads app.1.wm |
	sed 's/), /)\n/g')" "[(3, 1003, 'started', 'helper')
(1, 1001, 'started', 'worker')
(2, 1002, 'started', 'worker')
(0, 100, 'main', None)
(4, 1004, None, None)]"
is "those that began alike" "$(json '[(s["name"], s["threads"],
	s["peak_bytes"], s["sum_peak_bytes"], s["bytes"]) for s in
	j["by_thread"]["starts"]]' --functions --by threads app.1.wm |
	sed 's/), /)\n/g')" \
	"[('1 thread (helper)', 1, 16384, 16384, 16384)
('2 threads (worker)', 2, 3000, 5060, 4560)
('main thread', 1, 1050, 1050, 1000)
('1 thread', 1, 7, 7, 0)]"
is "what they hold at the peak is all of it" "$(json \
	'sum(t["bytes"] for t in j["by_thread"]["threads"]),
	sum(f["bytes"] for f in j["functions"])' \
	--functions --by threads app.1.wm)" "21944 21944"
is "at another moment" "$(json '[t["bytes"] for t in
	sorted(j["by_thread"]["threads"], key=lambda t: t["thread"])]' \
	--functions --by threads --at 35ns app.1.wm)" "[1050, 2500, 0, 0, 0]"
is "at the end: as in the list of functions" "$(json \
	'sum(t["bytes"] for t in j["by_thread"]["threads"]) ==
	sum(f["bytes"] for f in j["functions"]) ==
	sum(f["bytes"] for f in j["leaks"])' \
	--functions --by threads --at end app.1.wm)" True
is "usage: not at a snapshot" "$(status wm-analyze --functions --by threads \
	--at assembled app.1.wm)" 2
text=$(wm-analyze --functions --by threads app.1.wm)
like "text" "$text" '^ +2\.9 KiB .* thread 1 \(worker\)$'
like "text: alike" "$text" '^ +2 +2\.9 KiB +4\.9 KiB .*2 threads \(worker\)$'
is "CSV" "$(wm-analyze --functions --by threads --csv app.1.wm | cut -d, -f1,3,4,6,17 |
	head -3)" "thread,kind,start,peak_bytes,name
3,started,helper,16384,thread 3 (helper)
1,started,worker,3000,thread 1 (worker)"

# Trees: the thread calls what it calls.
tree() {
	wm-analyze --tree --by threads --csv "$@" app.1.wm | tail -n +2 |
		awk -F, '{ printf "%s=%d/%d\n", $2, $5, $7 }'
}
is "the tree" "$(tree)" "thread 3 (helper)=16384/0
thread 3 (helper);helper=16384/16384
thread 1 (worker)=2500/0
thread 1 (worker);worker=2500/2500
thread 2 (worker)=2060/0
thread 2 (worker);worker=2060/60
thread 2 (worker);worker;grow=2000/2000
main thread=1000/0
main thread;main=1000/0
main thread;main;setup=1000/1000"
is "bottom-up it is below all callers" "$(tree --bottom-up | grep grow)" \
	"grow=2000/0
grow;worker=2000/0
grow;worker;thread 2 (worker)=2000/2000"
is "the same bytes as without" "$(json 'j["tree"]["bytes"]' --tree app.1.wm)" \
	"$(json 'j["tree"]["bytes"]' --tree --by threads app.1.wm)"
is "folded" "$(wm-analyze --export folded --by threads app.1.wm)" \
	"main thread;main;setup 1000
thread 1 (worker);worker 2500
thread 2 (worker);worker 60
thread 2 (worker);worker;grow 2000
thread 3 (helper);helper 16384"
is "speedscope" "$(wm-analyze --export speedscope --by threads app.1.wm |
	python3 -c 'import json, sys
j = json.load(sys.stdin)
for p in j["profiles"][0:2]:
    print(sum(p["weights"]) == p["endValue"], *sorted(";".join(
        j["shared"]["frames"][f]["name"] for f in s) for s in p["samples"]), sep="|")')" \
	"True|main thread;main;setup|thread 1 (worker);worker|thread 2 (worker);worker|\
thread 2 (worker);worker;grow|thread 3 (helper);helper
True|thread 1 (worker);worker|thread 2 (worker);worker|thread 3 (helper);helper|thread 4;cut"
like "a picture" "$(wm-analyze -q --tree --by threads --svg - app.1.wm)" \
	'thread 3 \(helper\)'

for wrong in "--functions --by sites" "--tree --by threads --rank all" \
	"--functions --by threads --rank all" "--export csv --by threads" \
	"--export extrap --by threads"; do
	is "usage: $wrong" "$(status wm-analyze $wrong app.1.wm)" 2
done
run one.1.wm <<'E'
elf one
build-id 0012
rank 0 of 1
t 1000010 malloc 0x1000 1000 main
end
E
is "one thread" "$(json "$list" --functions --by threads one.1.wm)" \
	"[('main thread', 1000, 1000, 1000, 1, 0)]"
run none.1.wm <<'E'
elf none
build-id 0013
rank 0 of 1
end
E
is "none" "$(json "$list" --functions --by threads none.1.wm)" "[]"

# The creator of a thread: by the stack that it runs on. Threads 1 and 2 had one
# stack after the other; that of 4 may be from either call, that of 5 only from
# one.
run created.1.wm <<'E'
elf app
build-id 0015
module 0 0x400000 0x500000 -
module 0x600000 0x600000 0x700000 /lib/libc.so.6
rank 0 of 1
t 1000010 stack 0x100000 8192 main<pool
t 1000030 stack 0x100000 8192 main<late
t 1000040 stack 0x200000 8192 main<pool
t 1000060 stack 0x200000 8192 main<late
t 1000070 stack 0x300000 8192 main<pool
t 1000071 stack 0x300000 8192 main<pool
thread 1
thread-at 0x101ff0
t 1000005 malloc 0x1000 10 0x600100<worker
thread 2
thread-at 0x101ff0
t 1000020 malloc 0x2000 20 0x600100<worker
thread 3
thread-at 0x400000
t 1000021 malloc 0x3000 30 0x600100<worker
thread 4
thread-at 0x201ff0
t 1000050 malloc 0x4000 40 0x600100<worker
thread 5
thread-at 0x301ff0
t 1000070 malloc 0x5000 50 0x600100<worker
thread 6
thread-at 0x301ff0
t 1000075 malloc 0x6000 60 worker
end
E
is "who created them" "$(json 'sorted((t["thread"], t["started_by"]) for t in
	j["by_thread"]["threads"] if t["thread"])' --functions --by threads \
	created.1.wm | sed 's/), /)\n/g')" "[(1, 'main > pool')
(2, 'main > late')
(3, None)
(4, None)
(5, 'main > pool')
(6, None)]"
like "in their names" "$(wm-analyze -q --export folded --by threads \
	created.1.wm)" '^thread 2 \(worker, started by main > late\);'
wm-analyze -q --repack --output p created.1.wm >/dev/null
is "repacked it is the same" \
	"$(json 'j["by_thread"]["starts"]' --functions --by threads p/created.1.wm)" \
	"$(json 'j["by_thread"]["starts"]' --functions --by threads created.1.wm)"

# Many: those that began alike are one root.
awk 'BEGIN {
	print "elf many\nbuild-id 0014\nrank 0 of 1"
	print "t 1000001 malloc 0x1000 5 main"
	for (i = 1; i < 16384; i++)
		printf "thread %d\nt %d malloc %d 16 start_thread<work%d\n", i,
			1000010 + i, 1048576 + 32 * i, i % 2
	print "end"
}' | run many.1.wm
is "16,384 threads: roots" "$(wm-analyze --tree --by threads --csv many.1.wm |
	cut -d, -f2,5 | grep -v ';')" "path,bytes
8192 threads (work1),131072
8191 threads (work0),131056
main thread,5"
is "and each is in the list" "$(json 'len(j["by_thread"]["threads"])' \
	--functions --by threads many.1.wm)" 16384
is "but not for people" "$(wm-analyze --functions --by threads many.1.wm |
	grep -c ' thread [0-9]* (')" 20

# A real program.
for flags in "-static" ""; do
	rm -rf run
	ok "builds ($flags)" wmc++ -g -O1 -pthread $flags -o real \
		"$progs/report/tree.cc"
	WM_DIR=run ./real.wm
	csv=$(wm-analyze -q --functions --by threads --csv run/*.wm)
	like "its thread ($flags)" "$csv" \
		'^1,[0-9]+,started,main::\{.*,500,.*,"?thread 1 \(main::'
	like "its main thread ($flags)" "$csv" '^0,[0-9]+,main,,,'
	has_no "who created it is not recorded ($flags)" 'started by' echo "$csv"
done
rm -rf run
ok "builds a program that creates threads itself" \
	env WM_CC=gcc wmcc -g -O1 -pthread -o threads "$progs/threads.c"
WM_DIR=run ./threads.wm 3 2
is "who created them" "$(json '[(s["name"], s["threads"]) for s in
	j["by_thread"]["starts"] if s["kind"] != "main"]' --functions \
	--by threads run/*.wm)" "[('6 threads (work, started by main)', 6)]"
done_testing
