# SPDX-License-Identifier: Apache-2.0
# Damaged traces: cut off and with flipped bits at hundreds of places, read by
# an analyzer with address and undefined-behaviour sanitizers.  Never a crash,
# never a silently wrong number: an answer that claims to be complete is the
# right one.
# run: rest
. "$(dirname "$0")/../lib.sh" analyze-lib python3

take_sanitized

# Threads, generations, stored and compressed columns, all event kinds.
description() { # LEVEL
	cat <<E
elf app.wm
build-id 0123456789abcdef
level $1
block-events 40
rank 0 of 1
churn 100 20 30 7
generation
thread 1
t 1030000 malloc 0x7000 4000 main<solve
t 1030000 realloc 0x7000 0x8000 9000 main<solve
t 1031000 failed 123 main<solve
t 1032000 out 0x8000
t 1033000 gone
t 1034000 aligned 0x9000 77 main<solve<_Znwm
thread 0
churn 60 20 12 9
modules
thread 1
t 1090000 free 0x9000
end
E
}
description -1 | run app.1.wm
description 6 | run app.2.wm

# The reports take turns: every one of them sees places of every mode.
reports >list
cat >damage.py <<'E'
"""damage.py TRACE MODE COUNT: damages a copy in many places, reads each."""
import json, os, random, subprocess, sys
source, mode, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
good = open(source, "rb").read()
path = "d.1.wm/rank-000000.wmt.xz"
os.makedirs("d.1.wm", exist_ok=True)
def read(args=("--json", "--timeline"), runs=("d.1.wm",)):
    p = subprocess.run([os.environ["ANALYZE"], *args, *runs],
                       capture_output=True, timeout=60)
    return p.returncode, p.stdout, p.stderr.decode(errors="replace")
def save(data):
    open(path, "wb").write(data)
save(good)
status, whole, _ = read()
assert status == 0, status
# (arguments, runs, what the undamaged run comes to) of reports that work
turns = []
for report in open("list").read().splitlines():
    if report.startswith("--repack"):
        report += " --output packed"
    for form in "", "--json", "--csv":
        args = (report + " " + form).split()
        for runs in ("d.1.wm",), ("d.1.wm", source[:-len("/" +
                                  os.path.basename(source))]):
            status = read(args, runs)[0]
            if status != 2:
                turns.append((args, runs, status))
                break
assert len(turns) > 15, turns
rng = random.Random(source + mode)
rng.shuffle(turns)
whole = json.loads(whole)
rng = random.Random(1)
if mode == "flip":
    places = rng.sample(range(len(good) * 8), min(count, len(good) * 8))
elif mode == "cut":
    step = max(1, len(good) // count)
    places = list(range(0, len(good), step))
else:
    places = range(count)
bad = done = 0
for place in places:
    data = bytearray(good)
    if mode == "flip":
        data[place // 8] ^= 1 << place % 8
    elif mode == "cut":
        del data[place:]
    elif mode == "noise":
        at = rng.randrange(len(data))
        n = rng.choice([1, 4, 60, 600])
        data[at:at + n] = rng.randbytes(n)
    else:
        a, b = sorted(rng.sample(range(len(data)), 2))
        data = data[:a] + data[b:] if rng.random() < .5 else \
            data[:b] + data[a:]
    if bytes(data) == good:
        continue
    save(data)
    args, runs, sound = turns[done % len(turns)]
    status, out, err = read(args, runs)
    done += 1
    why = None
    if sound or args[0] in ("--repack", "--rules"):
        # not about this trace alone, but never a crash
        if status not in (0, 3, 4):
            why = "status %d" % status
    elif status not in (3, 4):
        why = "status %d" % status
    elif "wm-analyze: " not in err:
        why = "no message"
    elif "rank-000000.wmt.xz" not in err:
        why = "the message names no file"
    elif status == 4 and "--json" in args and b'"run": {' in out:
        got = json.loads(out)
        if got["run"]["complete"] or got["run"]["salvaged_ranks"] != [0]:
            why = "claims to be complete"
        elif got["events"]["total"] > whole["events"]["total"]:
            why = "more events than there were"
    if why:
        bad += 1
        print("%s at %s, %s: %s\n%s" % (mode, place, " ".join(args), why,
                                        err[-1500:]))
print("%d places, %d bad" % (len(places), bad))
sys.exit(bad != 0)
E

n=${WM_DAMAGE:-$(long_or 100 30)}
for run in app.1.wm app.2.wm; do
	for mode in flip cut noise splice; do
		ok "$n places: $mode ($run)" python3 damage.py \
			$run/rank-000000.wmt.xz $mode $n
	done
done

# The text of the messages.
mkdir -p m.1.wm
f=m.1.wm/rank-000000.wmt.xz
like "xz agrees that the undamaged trace is sound" \
	"$(xz -t app.1.wm/rank-000000.wmt.xz 2>&1 && echo sound)" sound
offsets=$(xz --robot --list -vv app.1.wm/rank-000000.wmt.xz |
	awk '$1 == "stream" { print $4 }')
set -- $offsets
fifth=$5
python3 - app.1.wm/rank-000000.wmt.xz $f $fifth <<'E'
import sys
d = bytearray(open(sys.argv[1], "rb").read())
# a byte in the middle of the fifth stream: in some column's stored data
at = int(sys.argv[3]) + 200
d[at] ^= 0xff
open(sys.argv[2], "wb").write(d)
E
like "block, offset and reason of damage" "$(wm-analyze m.1.wm 2>&1 >/dev/null)" \
	"rank 0: 'rank-000000.wmt.xz': block 4 at offset 0x$(printf %x $fifth): "
is "blocks before the damage count" \
	"$(json 'j["events"]["total"] > 0' m.1.wm)" True
head -c "$fifth" app.1.wm/rank-000000.wmt.xz >$f
like "cut between blocks: a killed process" \
	"$(wm-analyze m.1.wm 2>&1 >/dev/null)" "has no end: the process was killed"
head -c $((fifth + 50)) app.1.wm/rank-000000.wmt.xz >m.2
is "cut inside a block: the same as before it" \
	"$(json 'j["events"], j["heap"]' m.1.wm)" \
	"$(cp m.2 $f; json 'j["events"], j["heap"]' m.1.wm)"

# A writer that lost things says so.
{
	echo 'rank 0 of 1
block-events 2
t 1000010 malloc 0x1000 10 0x401010
t 1000020 malloc 0x2000 10 0x401010
skip 3
t 1000030 malloc 0x3000 10 0x402020
t 1000040 free 0x1000
end'
} | run gap.1.wm
is "lost blocks: answers from a part" "$(status wm-analyze gap.1.wm)" 4
like "they are counted" "$(wm-analyze gap.1.wm 2>&1 >/dev/null)" \
	'3 blocks are missing'
echo 'rank 0 of 1
t 1000010 malloc 0x1000 10 0x401010
dropped 12
end' | run drop.1.wm
is "dropped events: answers from a part" "$(status wm-analyze drop.1.wm)" 4
like "they are counted, too" "$(wm-analyze drop.1.wm 2>&1 >/dev/null)" \
	'12 events were dropped'
is "in the JSON as well" "$(json 'j["events"]["dropped"],
	j["run"]["complete"]' drop.1.wm)" "12 False"

# Malformed inside, with checks that are right: a hostile or broken writer.
bad=0
mapfile -t options < <(grep -v repack list)
for ((i = 1; i <= n; i++)); do
	rm -rf h.1.wm
	{
		echo "mutate $i"
		description $((i % 2 * 2 - 1))
	} | "$MAKE_RUN" h.1.wm /dev/stdin
	report=${options[i % ${#options[@]}]}
	timeout 60 "$ANALYZE" $report h.1.wm >/dev/null 2>h.err
	s=$?
	if [ $s = 2 ]; then # it wants two
		timeout 60 "$ANALYZE" $report h.1.wm app.1.wm >/dev/null \
			2>h.err
		s=$?
	fi
	case $s in
	0 | 2 | 3 | 4) ;;
	*)
		bad=$((bad + 1))
		echo "# seed $i: $report: status $s"
		tail -5 h.err | sed 's/^/# /'
		;;
	esac
done
is "$n malformed traces with right checks" "$bad" 0

# Numbers of names that no trace can have, some of which mean something else
# to the analyzer.
for n in 3 2147483647 2147483648 4294967294 4294967295 18446744073709551615; do
	run name.1.wm <<-E
	rank 0 of 1
	t 1000 malloc 0x1000 64 main<f
	t 1001 name 0x1000 %$n
	t 1002 phase %$n
	t 1003 snapshot %$n
	t 1004 mark %$n
	t 1005 region 0x1000 32 8 %$n
	t 1006 next %$n
	t 1007 malloc 0x2000 64 main<f
	t 1008 phase known
	t 1009 free 0x1000
	end
	E
	for report in --json "--timeline --by names" "--timeline --by phases"; do
		"$ANALYZE" $report name.1.wm >name.out 2>name.err
		is "name number $n, $report" "$? $(grep -c ERROR: name.err)" \
			"0 0"
	done
done
done_testing
