# SPDX-License-Identifier: Apache-2.0
# The peak of several threads: stamps are outside of the calls, so blocks of
# calls that were under way may be missing.  Reports say how much it can be.
. "$(dirname "$0")/../lib.sh" wmcc-lib analyze-lib python3

bounds() {
	json '[(r["peak_bytes"], r["peak_at_most_bytes"])
		for r in j["ranks"]]' "$@"
}

# rank 0: one thread.
# rank 1: two blocks of 1000, one after the other.  The second may have been
#   there when the first was, and the first when the second was.
# rank 2: between its events a thread is in one call at a time: 3000 of the
#   first thread from 3 to 6, not 1000 + 3000; 10 of the other one until 1.
# rank 3: in realloc, 1000 have become 4000 already; 2000 of the other thread
#   may still be there.
# rank 4: 5000 of the first thread have gone when the other one begins, as its
#   own release says; stacks of threads are in no peak.
run app.1.wm <<'E2'
program app
elf app.wm
id 1
rank 0 of 5
t 2000000 malloc 0x1000 1000 main<make
t 3000000 free 0x1000
t 4000000 malloc 0x1000 900 main<make
end
rank 1 of 5
thread 0
t 2000000 malloc 0x1000 1000 main<make
t 3000000 free 0x1000
thread 1
t 4000000 malloc 0x2000 1000 main<make
t 5000000 free 0x2000
end
rank 2 of 5
thread 1
t 1000000 malloc 0x9000 10 main<make
thread 0
t 2000000 malloc 0x1000 1000 main<make
t 3000000 free 0x1000
t 6000000 malloc 0x2000 3000 main<make
t 7000000 free 0x2000
thread 1
t 8000000 free 0x9000
end
rank 3 of 5
thread 0
t 1000000 malloc 0x1000 1000 main<make
thread 1
t 2000000 malloc 0x2000 2000 main<make
t 3000000 free 0x2000
thread 0
t 4000000 out 0x1000
t 5000000 in 0x3000 4000 main<make
end
rank 4 of 5
thread 0
t 1000000 malloc 0x1000 5000 main<make
t 2000000 free 0x1000
t 3000000 malloc 0x1000 7 main<make
t 4000000 stack 0x200000 8192 main<make
thread 1
t 5000000 malloc 0x2000 5 main<make
t 6000000 malloc 0x3000 4000 main<make
end
E2
wanted="[(1000, 1000), (1000, 2000), (3010, 3010), (4000, 6000), (5000, 5005)]"
is "by hand" "$(bounds app.1.wm)" "$wanted"
is "the highest of all" "$(json 'j["heap"]["peak"]["max_at_most"]' app.1.wm)" \
	6000
for how in "-j 3" --leaks "--rank 2" --tree --imbalance; do
	is "the same with $how" "$(bounds $how app.1.wm)" "$wanted"
done
cp -r app.1.wm packed.1.wm
ok "repacks" wm-analyze --quiet --repack packed.1.wm
is "the same repacked" "$(bounds packed.1.wm)" "$wanted"

one_trace() { # RANK; 4: other ranks have no trace
	wm-analyze app.1.wm/rank-00000"$1".wmt.xz >page 2>&1 || [ $? -eq 4 ]
}
ok "a page of rank 3" one_trace 3
like "text: of several threads" "$(cat page)" \
	'at most +5\.9 KiB +6,000 +with calls that were under way in its 2 threads'
for r in 0 2 4; do
	ok "a page of rank $r" one_trace $r
	is "rank $r: nothing to say" "$(grep -c 'under way' page)" 0
done

# Long traces: the bound is that of the definition, computed in another way.
cat >long.py <<'P'
import random, subprocess, sys
make, tool, seeds = sys.argv[1], sys.argv[2], int(sys.argv[3])
import json
for seed in range(seeds):
    rng = random.Random(seed)
    threads = rng.randint(2, 5)
    count = rng.choice((60, 3000, 30000))
    held = [[] for _ in range(threads)]
    events, lines = [], []     # (thread, bytes that come, that go)
    last = None
    for i in range(count):
        t = rng.randrange(threads) if rng.random() < 0.5 or last is None \
            else last
        last = t
        if t != 0 and i % 10000 < 3000 and rng.random() < 0.9:
            t = 0               # others are away for long
        if held[t] and rng.random() < 0.5:
            a, n = held[t].pop(rng.randrange(len(held[t])))
            events.append((t, 0, n))
            lines.append((t, i, "free %#x" % a))
        else:
            a, n = 0x1000 + i * 64, rng.choice((8, 100, 5000, 10 ** 6))
            held[t].append((a, n))
            events.append((t, n, 0))
            lines.append((t, i, "malloc %#x %d main<make" % (a, n)))
    with open("long.txt", "w") as f:
        f.write("program app\nelf app.wm\nid 1\nrank 0 of 1\n")
        for t, i, what in lines:
            f.write("thread %d\nt %d %s\n" % (t, 2000000 + i * 20000, what))
        f.write("end\n")
    subprocess.run(["rm", "-rf", "long.1.wm"], check=True)
    subprocess.run([make, "long.1.wm", "long.txt"], check=True)
    out = subprocess.run([tool, "--json", "long.1.wm"], check=True,
                         capture_output=True).stdout
    row = json.loads(out)["ranks"][0]
    # exact: live bytes and, of each thread, what is between two events of it
    call = [[0] * count for _ in range(threads)]
    for t in range(threads):
        mine = [i for i in range(count) if events[i][0] == t]
        for a, b in zip([-1] + mine, mine + [count]):
            n = max(events[a][2] if a >= 0 else 0,
                    events[b][1] if b < count else 0)
            for i in range(max(a, 0), b):
                call[t][i] = n
    live = peak = bound = 0
    for i in range(count):
        live += events[i][1] - events[i][2]
        peak = max(peak, live)
        bound = max(bound, live + sum(c[i] for c in call))
    got = row["peak_bytes"], row["peak_at_most_bytes"]
    if got != (peak, bound):
        print("seed %d: %d events: got %s, want %s" %
              (seed, count, got, (peak, bound)))
        sys.exit(1)
P
ok "random traces" python3 long.py "$MAKE_RUN" \
	"$BUILD/bin/wm-analyze" $((${WM_LONG:-0} ? 100 : 8))

# A block that lives through the whole run, of each of three threads, is never
# counted twice, however many events there are: each has 1000 and 8 at most.
cat >whole.py <<'P'
print("program app\nelf app.wm\nid 1\nrank 0 of 1")
at = 2000000
def say(t, what):
    global at
    at += 20000
    print("thread %d\nt %d %s" % (t, at, what))
for t in range(3):
    say(t, "malloc %#x 1000 main<make" % (0x100000 * (t + 1)))
for i in range(20000):
    say(i % 3, "malloc %#x 8 main<make" % (0x1000 + i * 64))
    say(i % 3, "free %#x" % (0x1000 + i * 64))
for t in range(3):
    say(t, "free %#x" % (0x100000 * (t + 1)))
print("end")
P
python3 whole.py >whole.txt
"$MAKE_RUN" whole.1.wm whole.txt
is "blocks of the whole run count once" "$(bounds whole.1.wm)" \
	"[(3008, 3024)]"

# A program that knows.
ok "the allocator" wmcc -w -fno-builtin -DHEAP -c -o heap.o "$progs/under_way.c"
ok "links" wmcc -static -fno-builtin -pthread -o under "$progs/under_way.c" heap.o
for how in in out; do
	rm -rf real
	WM_DIR=real ./under.wm $how >truth
	is "$how: runs" $? 0
	truth=$(cat truth)
	real=$(bounds real/*)
	echo "# $how: truth $truth, replay and bound $real"
	ok "$how: the truth lies between" python3 -c "
(peak, at_most), = $real
assert 400000 <= $truth < 500000
assert peak <= $truth <= at_most
# no more than a block for each thread is added
assert at_most <= peak + 4 * 100000"
done
ok "two blocks of the last run are in no stamp" python3 -c "
(peak, at_most), = $real
assert peak < 300000"
done_testing
