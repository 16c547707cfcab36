# SPDX-License-Identifier: Apache-2.0
# --pages of a program that says what it does with its memory.
. "$(dirname "$0")/../lib.sh" analyze-lib

bring pages/cold.c
wmcc -g -O1 -static -o cold cold.c >log 2>&1 || skip_all "no static program"
WM_PAGES=50 ./cold.wm >out 2>err
read -r it_runs longest <out
is "it runs" "$it_runs" 1
[ ! -s err ] || skip_all "$(head -1 err)"
run=$(echo cold.*.wm)
wm-analyze --quiet --pages --json "$run" >j
want() { # WHAT EXPRESSION of the site s, all j
	is "$1" "$(python3 -c "
import json, sys
j = json.load(open('j'))['pages']
site = {s['name']: s for s in j['sites'] if s['kind'] in ('heap', 'static')}
def near(a, b, pages=4): return abs(a - b) <= 4096 * pages or (a, b)
MiB = 1 << 20
print($2)")" True
}
want "half of the matrix was ever touched" \
	"near(site['assemble::p']['touched_bytes'], 20 * MiB) and site['assemble::p']['bytes'] == 40 * MiB"
want "where" "[site[s]['file'] is not None and site[s]['line'] > 0 for s in ('assemble::p', 'make_field::p', 'spare::p')] == [True] * 3"
want "it is cold, as nobody touches it any more" "near(site['assemble::p']['cold_bytes'], 20 * MiB)"
want "nothing but malloc's own of what is spare" "site['spare::p']['touched_bytes'] <= 8192"
want "the field was, all of it" "near(site['make_field::p']['touched_bytes'], 8 * MiB)"
# the last epoch may end before it has a whole pass
want "half of it in the last epoch" "near(site['make_field::p']['last_epoch_bytes'], 4 * MiB) is True or
	j['epochs'][-1]['cpu_s'] - j['epochs'][-2]['cpu_s'] < 2e-3 * $longest"
want "half of it is cold" "near(site['make_field::p']['cold_bytes'], 4 * MiB)"
want "half of it is only read" "near(site['make_field::p']['read_only_bytes'], 4 * MiB)"
want "one page of the table is used, and what shares its ends with others" \
	"site['table']['bytes'] == 3 * MiB and 4096 <= site['table']['touched_bytes'] <= 3 * 4096 and site['table']['kind'] == 'static'"
want "the table is declared in the source" "site['table']['file'].endswith('cold.c')"
# an epoch of 50 ms has a whole pass, or faults are slow
want "epochs: all of the field, then half of it" \
	"len(j['epochs']) > 6 and (2 * $longest > 50 or
	near(j['epochs'][2]['written'] * 4096, 8 * MiB, 32) is True and near(j['epochs'][-2]['accessed'] * 4096, 4 * MiB, 32))"
want "they ascend, and so do times" \
	"all(a['time_s'] < b['time_s'] and a['cpu_s'] < b['cpu_s'] for a, b in zip(j['epochs'], j['epochs'][1:]))"
want "the main stack is not watched" "'the main thread\\'s stack' in [x['what'] for x in j['not_covered']]"

# Long ranges in Moca's first file belong to an object in the second.
for part in moca moca-structures; do
	wm-analyze --quiet --export $part --output $part.csv "$run"
done
cat >belongs.py <<'E'
import csv
pages = sorted({int(r["@Virt"], 16) >> 12 for r in csv.DictReader(open("moca.csv"))})
size, held = {}, set()
for r in csv.DictReader(open("moca-structures.csv")):
    size.setdefault(r["Name"].split()[0], set()).add(int(r["Size"]))
    first, last = int(r["Virt"], 16), int(r["Virt"], 16) + int(r["Size"]) - 1
    held.update(range(first >> 12, (last >> 12) + 1))
ranges = []
for p in pages:
    if not ranges or ranges[-1][-1] + 1 != p:
        ranges.append([])
    ranges[-1].append(p)
long = [r for r in ranges if len(r) >= 64]
MiB = 1 << 20
print([sorted(size[n]) == [s * MiB] for n, s in
       (("assemble::p", 40), ("make_field::p", 8), ("spare::p", 16), ("table", 3))],
      sum(map(len, long)) >= 28 * MiB >> 12, [hex(p) for r in long for p in r if p not in held])
E
is "Moca's files: each page of a long range lies in a structure" \
	"$(python3 belongs.py)" "[True, True, True, True] True []"
like "Moca's files: names have places" "$(cat moca-structures.csv)" \
	"^assemble::p  cold.c:[0-9]+,0x[0-9a-f]+,41943040"
# The same where it frees all before it ends.
wmcc -g -O1 -static -DTIDY -o tidy cold.c >log 2>&1
WM_NAME=tidy WM_PAGES=50 ./tidy.wm >out 2>err
wm-analyze --quiet --pages --json tidy.*.wm >j
want "what it frees at its end was never touched" \
	"near(site['spare::p']['untouched_bytes'], 16 * MiB) is True and near(site['assemble::p']['untouched_bytes'], 20 * MiB)"
want "or lies cold" \
	"near(site['assemble::p']['cold_bytes'], 20 * MiB) is True and near(site['make_field::p']['cold_bytes'], 4 * MiB)"
want "or is only read" "near(site['make_field::p']['read_only_bytes'], 4 * MiB)"
wm-analyze --quiet --pages "$run" >text
like "text" "$(sed -n '/^Never touched/,/^Cold/p' text)" \
	"20.0 MiB +40.0 MiB +assemble::p +cold.c:"
done_testing
