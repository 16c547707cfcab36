# SPDX-License-Identifier: Apache-2.0
# Text fits the columns that the terminal, or COLUMNS, has: lines are wrapped,
# names in tables are shortened, numbers are not.
. "$(dirname "$0")/../lib.sh" analyze-lib

long=a_function_whose_name_is_longer_than_most_that_a_program_has
run app.1.wm <<E
program app
elf app
id 1
rank 0 of 2
t 1000 malloc 0x1000 3000000 main<make<$long
t 2000 malloc 0x2000 1000 main<other
t 3000 free 0x1000
end
rank 1 of 2
t 1000 malloc 0x1000 70 main<other
end
E
# longest COMMAND...: columns of its longest line
longest() {
	"$@" 2>/dev/null | awk '{ n = length($0) > n ? length($0) : n } END { print n }'
}
for r in summary leaks functions files; do
	n=$(COLUMNS=80 longest wm-analyze --$r app.1.wm)
	ok "--$r: 80 columns are enough ($n)" test "$n" -gt 40 -a "$n" -le 80
done
is "a long line goes on below its last column" \
	"$(COLUMNS=72 wm-analyze app.1.wm 2>/dev/null |
	grep -A1 '^ *at 99 % of it' | cut -c1-90)" \
	"$(printf '%46sat 99 %% of it or more for\n%46s0 ns, at 90 %% for 0 ns' '' '')"
like "for a program lines are whole" "$(wm-analyze app.1.wm 2>/dev/null)" \
	'at 99 % of it or more for [0-9.]+ ns, at 90 % for [0-9.]+ ns'
COLUMNS=75 wm-analyze --imbalance app.1.wm >75 2>/dev/null
COLUMNS=200 wm-analyze --imbalance app.1.wm >200 2>/dev/null
like "a wide line has the whole name" "$(cat 200)" \
	'\+1\.4 MiB +2\.9 MiB +1\.4 MiB +a_function_whose_name[a-z_]*_program_has < make$'
wm-analyze --imbalance app.1.wm >file 2>/dev/null
is "a file is as wide" "$(diff 200 file)" ""
ok "a pipe to a pager is as wide as the terminal" eval "script -qec \
	'stty cols 75; wm-analyze -q --imbalance app.1.wm | cat >piped' \
	/dev/null >script.out 2>&1 && grep a_func 75 >want &&
	grep a_func piped | diff want -"
like "a narrow one has the numbers, and less of the name" "$(cat 75)" \
	'\+1\.4 MiB +2\.9 MiB +1\.4 MiB +a_func[a-z_]{,10}\.\.\.[a-z_]*_has < make$'
ok "it fits" test "$(longest cat 75)" -le 75

# Every report, on runs with all that reports tell, in lines of four widths:
# large numbers in many ranks, names of 4 KiB, wide characters, deep paths,
# phases, snapshots.  A word that is longer than a line stands alone.
command -v python3 >/dev/null || skip_all "no python3"
cat >make.py <<'E'
"""NUMBER LONG: the text of a run."""
import sys
number, long = int(sys.argv[1]), sys.argv[2]
cxx = "std::map{" + ";".join(["std::vector{double}"] * 200) + "}"
names = ["grid_alloc", "変数の長い名前" * 12, cxx[:4000]]
print("program app\nelf app.wm\nid %d" % number)
for r in range(24):
    print("host node-with-a-long-name-%d\nrank %d of 24" % (r % 3, r))
    print("t 1000000 phase the_assembly_of_a_matrix_that_is_large")
    print("t 2000000 malloc 0x1000 %d main<solve<%s" % (2 ** 46 + r, long))
    for i in range(24):
        at = 0x100000000 + i * 4096
        print("t %d malloc 0x%x %d main<setup<%s%d" % (
            3000000 + i * 50, at, 3000 + i * (r + number), names[i % 3], i))
        if i % 2:
            print("t %d free 0x%x" % (3000010 + i * 50, at))
    print("t 5000000 name 0x1000 field_of_temperatures_%s" % ("x" * 60))
    print("t 5500000 snapshot when_everything_has_been_read_from_files")
    print("t 6000000 phase -")
    print("t 7000000 malloc 0x2000 1000 " +
          "<".join("level%d" % i for i in range(90)))
    print("t 8000000 map 0x7f0000000000 8192 main<map_it")
    print("t 9000000 mpi 0x3000 5000 main<window")
    if r != 5:
        print("end")
E
for i in 1 2 3; do
	python3 make.py $i $long | run all.$i.wm
done
cat >widths.py <<'E'
"""LIMIT: whether stdin has lines; those that are wider than LIMIT."""
import sys, unicodedata
def width(s):
    return sum(0 if unicodedata.combining(c) else
               2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in s)
limit = int(sys.argv[1])
lines = sys.stdin.buffer.read().decode().split("\n")
bad = [s for s in lines if width(s) > limit and len(s.split()) > 1]
print(len(lines) > 3, len(bad))
for s in bad[:3]:
    print("#", width(s), s, file=sys.stderr)
E
# wide COLUMNS ARGUMENT...: has it said something, and how many lines too long
wide() {
	local columns=$1
	shift
	COLUMNS=$columns wm-analyze -q "$@" 2>/dev/null |
		python3 widths.py "$columns"
}
{
	reports | grep -v -e '^--html' -e '^--export' -e '^--repack' \
		-e '^--rules' -e '^--compare' -e '^--model' -e '^--static'
	printf '%s\n' "--leaks --rank 0" "--temporaries --rank 0" \
		"--timeline --rank all" "--timeline --by sites" \
		"--functions --by threads" "--tree --by threads" \
		"--tree --bottom-up" "--tree --top all" "--functions --top all" \
		"--imbalance --node-memory 1G"
} >list
# and two builds of a program with static memory of such names
cat >statics_of_a_program_with_a_long_name.c <<E
int common_$long[300];
static double field_$long[SIZE] = { 1 };
__attribute__((section("a_section_whose_name_has_more_than_forty_columns")))
int placed_$long = 1;
int main(void) { return (int)field_$long[placed_$long + common_$long[0]]; }
E
mkdir new
ok "two builds" eval 'WM_CC=gcc wmcc -g -fcommon -DSIZE=1000000 \
	-o statics statics_*.c &&
	WM_CC=gcc wmcc -g -fcommon -DSIZE=200000 -o new/statics statics_*.c'
ok "there are reports" test "$(grep -c . list)" -gt 15
for columns in 60 80 120 200; do
	while read -r report; do
		is "$columns columns: $report" \
			"$(wide $columns $report all.1.wm)" "True 0"
	done <list
	is "$columns columns: --compare" \
		"$(wide $columns --compare all.1.wm all.2.wm)" "True 0"
	is "$columns columns: --compare, ranks" "$(wide $columns \
		--compare --top all all.1.wm:0 all.1.wm:7)" "True 0"
	is "$columns columns: --static-report" "$(wide $columns \
		--static-report --top all statics.wm)" "True 0"
	is "$columns columns: --static-report, two" "$(wide $columns \
		--static-report statics.wm new/statics.wm)" "True 0"
	is "$columns columns: --model" "$(wide $columns --model all.1.wm \
		all.2.wm all.3.wm --problem-size 1,2,3 --predict 100,1000000)" "True 0"
done

# what is cut is as wide as others that are
run wide.1.wm <<E
program wide
elf app
id 1
rank 0 of 1
t 1000 malloc 0x1000 3000 main
t 2000 snapshot $(printf '変%.0s' $(seq 30))
t 3000 snapshot $(printf 'x%.0s' $(seq 60))
end
E
is "wide characters are two columns, in what is cut, too" \
	"$(wm-analyze -q --snapshots wide.1.wm | grep -oE "'.*\.\.\.'")" \
	"'$(printf '変%.0s' $(seq 18))...'
'$(printf 'x%.0s' $(seq 37))...'"

# COLUMNS that say nothing, too little and too much
wm-analyze -q --leaks all.1.wm >plain 2>/dev/null
for columns in 0 garbage ""; do
	is "COLUMNS='$columns' is none" "$(COLUMNS=$columns wm-analyze -q \
		--leaks all.1.wm 2>/dev/null | cksum)" "$(cksum <plain)"
done
for columns in 1 7 -1 4294967297 99999999999999999999999; do
	COLUMNS=$columns timeout 100 wm-analyze -q --leaks all.1.wm \
		>out 2>/dev/null
	is "COLUMNS=$columns: the numbers are there" \
		"$? $(tr -s ' \n' ' ' <out | grep -c '1\.4 PiB')" "4 1"
done
for report in --tree --functions --html=- --json --csv; do
	wm-analyze -q ${report/=/ } all.1.wm >/dev/full 2>err
	is "$report: a full disk is told" "$? $(grep -c 'output: ' err)" "3 1"
done
done_testing
