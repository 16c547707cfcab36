# SPDX-License-Identifier: Apache-2.0
# Damaged crash buffers of killed processes: with flipped bits, cut off, full of
# noise, or of other processes, read by an analyzer with sanitizers.  Never a
# crash; what cannot be right is refused by name, and then the trace counts.
# (A crash buffer has no checksums: a number that could be right is believed.)
# run: rest
. "$(dirname "$0")/../lib.sh" analyze-lib python3

take_sanitized

wmcc -O1 -g -fno-builtin -static -pthread -o killed "$SRC/tests/progs/killed.c"
WM_DIR=run WM_RUN_ID=1 WM_BUFFER=16K ./killed.wm progress 3 3000 kill
cp -r run/killed.1.wm whole.1.wm

cat >damage.py <<'E2'
"""damage.py MODE COUNT: damages copies of a crash buffer, reads each."""
import json, os, random, shutil, struct, subprocess, sys
mode, count = sys.argv[1], int(sys.argv[2])
shutil.rmtree("d.1.wm", ignore_errors=True)
shutil.copytree("whole.1.wm", "d.1.wm")
path = "d.1.wm/rank-000000.wmw"
good = open(path, "rb").read()
def read():
    p = subprocess.run([os.environ["ANALYZE"], "--json", "--timeline",
                        "d.1.wm"], capture_output=True, timeout=60)
    return p.returncode, p.stdout, p.stderr.decode(errors="replace")
status, whole, err = read()
assert status == 4, err
whole = json.loads(whole)
assert whole["run"]["lost_end_ranks"] == [], err
assert whole["run"]["window_events"] > 0
journal_size, = struct.unpack_from("<I", good, 80)
head, = struct.unpack_from("<Q", good, 1240)
journal = head + (good[132] & 1) * journal_size
slot_size, = struct.unpack_from("<Q", good, 88)
slots = [head + 2 * journal_size + i * slot_size
         for i in range(struct.unpack_from("<I", good, 100)[0])]
# where the bytes are that mean something
hot = [(0, 704), (1240, 8), (journal, 2000)] + [(s, 24) for s in slots] + \
    [(s + head, 32 * 40) for s in slots]
rng = random.Random(mode)
bad = refused = 0
for i in range(count):
    data = bytearray(good)
    at, n = rng.choice(hot)
    at += rng.randrange(n)
    if mode == "flip":
        data[at] ^= 1 << rng.randrange(8)
    elif mode == "word":
        at -= at % 8
        data[at:at + 8] = struct.pack("<Q", rng.choice([
            0, 1, 255, 1 << 31, 1 << 32, (1 << 32) - 1, 1 << 62,
            (1 << 64) - 1, rng.getrandbits(64)]))
    elif mode == "cut":
        del data[rng.choice([at, rng.randrange(len(data))]):]
    elif mode == "noise":
        n = rng.choice([1, 4, 60, 600])
        data[at:at + n] = rng.randbytes(n)
    else:
        a, b = rng.choice(hot)[0], rng.choice(hot)[0]
        n = rng.choice([8, 32, 512, 4096])
        data[a:a + n] = good[b:b + n]
    with open(path, "wb") as f:
        f.write(data)
    status, out, err = read()
    why = None
    if status != 4:
        why = "status %d" % status
    else:
        run = json.loads(out)["run"]
        if run["complete"] or run["salvaged_ranks"] != [0]:
            why = "claims to be complete"
        elif run["window_events"] > len(slots) * 512:
            why = "more events than there is room for"
        elif run["lost_end_ranks"] and "rank-000000.wmw" not in err and \
                " of its threads" not in err and "of 1 " not in err and \
                "threads are lost" not in err:
            why = "refused without a name"
        refused += run["lost_end_ranks"] != []
    if why:
        bad += 1
        print("%s %d at %d: %s\n%s" % (mode, i, at, why, err[-1500:]))
print("%d crash buffers, %d refused, %d bad" % (count, refused, bad))
sys.exit(bad != 0)
E2

n=${WM_DAMAGE:-$(long_or 150 40)}
for mode in flip word cut noise splice; do
	ok "$n crash buffers: $mode" python3 damage.py $mode "$n"
done

# The text of the messages; then only the trace counts.
f=d.1.wm/rank-000000.wmw
reset() {
	rm -rf d.1.wm
	cp -r whole.1.wm d.1.wm
}
put() { # OFFSET BYTES(printf)
	printf "$2" | dd of=$f bs=1 seek="$1" conv=notrunc status=none
}
says() { wm-analyze d.1.wm 2>&1 >/dev/null; }
reset
rm $f
alone=$(json 'j["events"]' d.1.wm)
refuses() { # DESCRIPTION PATTERN
	like "$1: said" "$(says)" "its window 'd.1.wm/rank-000000.wmw': $2"
	is "$1: the trace counts" "$(json 'j["events"]' d.1.wm)" "$alone"
	is "$1: exit status" "$(status wm-analyze d.1.wm)" 4
}
refuses "no crash buffer" "No such file"
reset
put 0 X
refuses "not a crash buffer" "not a window"
reset
put 4 '\003'
refuses "another version" "version 3, this reader knows 1: use"
reset
# the lowest byte of the process's number; one number in 256 has this one
other='\001'
[ "$(od -An -tu1 -j8 -N1 $f)" -ne 1 ] || other='\002'
put 8 "$other"
refuses "another process" "belongs to another process"
reset
truncate -s 280000 $f
refuses "cut off" "cut off: 280000 bytes"
reset
put 113 '\001'
refuses "the trace lacks blocks" "the trace lacks blocks: "
reset
put 104 '\002'
like "threads that are not in the crash buffer" "$(says)" \
	'the last ones \(up to 512\) of 2 of its threads are lost'
reset
put 120 '\007'
like "a loss that only the crash buffer knows" "$(says)" '7 events were dropped'

# A block that was being written when the process was killed.
reset
t=d.1.wm/rank-000000.wmt.xz
truncate -s -1 $t
like "half a block that was written before" "$(says)" "lacks blocks"
reset
head -c 100 $t >half
cat half >>$t
is "half a block that was being written: nothing is lost" \
	"$(json 'j["run"]["lost_end_ranks"], j["events"]["dropped"]' d.1.wm)" \
	"[] 0"
is "its events come from the crash buffer" "$(json 'j["events"]' d.1.wm)" \
	"$(json 'j["events"]' whole.1.wm)"
done_testing
