# SPDX-License-Identifier: Apache-2.0
# run: rest
# Runs that are not as they should be, for every report that there is: mixed
# builds, missing ranks, killed processes, clocks that jump, no events, two
# runs where one is meant.  Repacked runs give the same answers.
. "$(dirname "$0")/../lib.sh" analyze-lib python3

take_sanitized

head='program app
elf app
build-id aa01
id 1'
run good.1.wm <<E
$head
rank 0 of 2
block-events 50
churn 300 20 9 7
thread 1
churn 100 9 5 3
t 1031000 phase solve
t 1031010 malloc 0x7000 4000 main<solve
t 1031020 name 0x7000 field
t 1031030 snapshot here
end
rank 1 of 2
t 1000010 malloc 0x1000 3000 main<halo
end
E
run missing.1.wm <<E
$head
rank 1 of 3
t 1000010 malloc 0x1000 3000 main<halo
end
E
run killed.1.wm <<E
$head
rank 0 of 1
t 1000010 malloc 0x1000 3000 main<halo
E
run zero.1.wm <<E
$head
rank 0 of 2
end
rank 1 of 2
end
E
run nothing.1.wm <<E
$head
rank 0 of 1
E
run half.1.wm <<E
$head
rank 0 of 2
t 1000010 malloc 0x1000 3000 main<halo
end
rank 1 of 2
end
E
# 5 s, 2 s and 0 s after the start; then 9 s
run back.1.wm <<E
$head
rank 0 of 1
t 5001000000 malloc 0x1000 1000 main<solve
block
t 2001000000 malloc 0x2000 500 main<mesh
block
t 1000100 malloc 0x3000 50 main<mesh
block
t 9001000000 free 0x1000
end
E
# the last event lies 585 years behind the end
run ahead.1.wm <<E
$head
rank 0 of 1
t 1000010 malloc 0x1000 1000 main<solve
t 18446744073709551000 malloc 0x2000 500 main<solve
block
t 2000000000 free 0x1000
end
E
run other <<'E'
program app
id 1
build-id bb02
rank 1 of 2
t 1000010 malloc 0x1000 3000 main<halo
end
E
cp -r half.1.wm mixed.1.wm
cp other/rank-000001.wmt.xz mixed.1.wm/
cp -r good.1.wm again.1.wm
mkdir empty results
cp -r good.1.wm results/
mkdir broken.1.wm
head -c 300 /dev/urandom >broken.1.wm/rank-000000.wmt.xz

# what is said
said() { # PATTERN ARGUMENT...
	local p=$1
	shift
	like "$*: $p" "$(wm-analyze "$@" 2>&1 >/dev/null)" "^wm-analyze: $p"
}
said "'mixed.1.wm' holds traces of different builds: rank 1 is not of the one \
that rank 0 ran; are they of another run\?" mixed.1.wm
said "no trace of 2 of 3 ranks, the first of them is rank 0" missing.1.wm
said "rank 0: 'rank-000000.wmt.xz' has no end: the process was killed" killed.1.wm
said "no events: the program allocated nothing, or all of it while recording \
was paused" zero.1.wm
said "rank 1: 'rank-000001.wmt.xz': no events" half.1.wm
said "rank 0: 'rank-000000.wmt.xz': its clock jumped by 3\.000 s: times, and \
the order of threads, may be wrong" back.1.wm
said "rank 0: 'rank-000000.wmt.xz': its clock jumped by 184[0-9]*\.[0-9]* s" \
	ahead.1.wm
said "two runs given: 'good.1.wm' and 'again.1.wm' both hold rank 0; name one, \
or use --compare" good.1.wm again.1.wm
said "'./good.1.wm/' is given twice" good.1.wm ./good.1.wm/
said "'empty' is not a run directory: it holds no file rank-NNNNNN" empty
said "'results' is not a run directory, but holds some: name one, as \
'results/good.1.wm'" results
said "rank 0: 'rank-000000.wmt.xz': not a wmtools trace \\(no .xz stream\\)\$" \
	broken.1.wm
echo hello >notes.txt
head -c 300 /dev/urandom >noise
head -c 300 /dev/urandom | xz >noise.xz
head -c 300 /dev/urandom | xz --check=crc32 >crc32.xz
head -c 8 good.1.wm/rank-000000.wmt.xz >begun
named='; name a run directory PROGRAM.ID.wm, or a file rank-NNNNNN.wmt.xz of one'
one_line() { # WANTED ARGUMENT...
	local wanted=$1
	shift
	is "$*: said once" "$(wm-analyze "$@" 2>&1)" "wm-analyze: $wanted"
}
no_stream="not a wmtools trace (no .xz stream)$named"
one_line "'notes.txt': $no_stream" notes.txt
one_line "'noise': $no_stream" noise
one_line "'noise': $no_stream" --leaks --json noise
one_line "'noise.xz': not a wmtools trace (the stream's check is not CRC32)$named" \
	noise.xz
one_line "'crc32.xz': not a wmtools trace (column with another filter than LZMA2 \
of at most 1 MiB)$named" crc32.xz
one_line "'begun': cut off: the file ends at 0x8" begun
is "two that are none: each once, and that there is no other" \
	"$(wm-analyze notes.txt noise 2>&1)" "wm-analyze: 'noise': $no_stream
wm-analyze: 'notes.txt': $no_stream
wm-analyze: none of 2 traces can be read"
is "no event: the summary's numbers" "$(json '[j["heap"]["peak"][k] for k in
	("max","min","mean","stddev")], j["events"]["total"]' zero.1.wm)" \
	"[0, 0, 0.0, 0.0] 0"
is "no event: no number is none" \
	"$(wm-analyze zero.1.wm 2>&1 | grep -ciE '(nan|inf)( |$)')" 0
is "the clock jumped: bytes are right" \
	"$(json 'j["heap"]["peak"]["max"]' back.1.wm)" 1550

# every report, every form
cat >forms.py <<'E'
"""forms.py FORM: is stdin well-formed?"""
import csv, json, re, sys
text = sys.stdin.read()
if sys.argv[1] == "--json":
    assert json.loads(text)["schema"] == "wmtools.report/1"
elif sys.argv[1] == "--csv":
    rows = list(csv.reader(text.splitlines(keepends=True)))
    assert rows and all(len(r) == len(rows[0]) for r in rows), rows[:3]
assert not re.search(r" -?(nan|inf)\b", text)
E

# once EXPECTED OPTIONS... : counts what is wrong in bad; EXPECTED "": any
once() {
	local wanted=$1 form=$2 s why=
	shift 2
	timeout 60 "$ANALYZE" $form "$@" >out 2>err
	s=$?
	case $s in
	0 | 1 | 2 | 3 | 4) ;;
	*) why="status $s" ;;
	esac
	[ $s -lt 2 ] || grep -q '^wm-analyze: ' err || why="status $s, no word"
	[ -z "$wanted" ] || [ $s = "$wanted" ] || why="status $s, not $wanted"
	case $s in
	0 | 4)
		python3 forms.py "$form" <out 2>forms.err ||
			why="malformed: $(tail -1 forms.err)"
		;;
	esac
	if [ "$why" ]; then
		bad=$((bad + 1))
		{ echo "$form $*: $why"; head -5 err; } | sed 's/^/# /'
	fi
}

# what each input comes to, in reports about one run
inputs='0 good.1.wm
4 missing.1.wm
4 killed.1.wm
0 zero.1.wm
4 nothing.1.wm
0 half.1.wm
4 back.1.wm
4 ahead.1.wm
4 mixed.1.wm
3 broken.1.wm
3 empty
3 results
3 nowhere.wm
2 good.1.wm again.1.wm
2 good.1.wm good.1.wm'

reports >list
like "the list of reports" "$(cat list)" '^--summary$'
while read -r report; do
	bad=0
	plain=0
	forms=
	case $report in
	--repack*) report="$report --output packed.$RANDOM" ;;
	esac
	for form in "" --json --csv; do
		[ "$(status wm-analyze $form $report good.1.wm)" = 2 ] ||
			forms="$forms ${form:-text}"
	done
	# about one run, and of these inputs alone?
	case $(status wm-analyze $report good.1.wm),$(status wm-analyze \
		$report nowhere.wm) in
	0,3) plain=1 ;;
	esac
	# they take other things than one run
	case $report in
	--repack* | --history) plain=0 ;;
	esac
	while read -r wanted files; do
		[ $plain = 1 ] || wanted=
		for form in $forms; do
			[ $form != text ] || form=
			once "$wanted" "$form" $report $files </dev/null
		done
		# and beside another one, for those that want two
		if [ -z "$forms" ]; then
			for form in "" --json --csv; do
				once "" "$form" $report good.1.wm $files \
					</dev/null
			done
		fi
	done <<<"$inputs"
	is "$report: every input (${forms:- two runs})" "$bad" 0
done <list

bad=0
while read -r wanted files; do
	case $files in
	*" "*) continue ;;
	esac
	for form in "" --json --csv; do
		once "$wanted" "$form" --compare good.1.wm $files </dev/null
		once "$wanted" "$form" --compare $files $files </dev/null
	done
done <<<"$inputs"
is "--compare: with every input" "$bad" 0

# Clocks that lie as far apart as numbers can.
run clocks.1.wm <<'E'
program app
elf app
build-id aa01
boot one
rank 0 of 2
t 1000010 malloc 0x1000 10 main<f
end
real 9223372036854775808
rank 1 of 2
t 1000010 malloc 0x1000 20 main<f
end
E
"$ANALYZE" --imbalance clocks.1.wm >out 2>err
is "clocks 292 years apart: no sanitizer speaks" \
	"$(grep -c 'runtime error' err) $(grep -c 'name the same boot' out)" \
	"0 1"

# A repacked run gives the same answers.
for r in good killed zero half back ahead mixed missing; do
	wm-analyze -q --repack --output packed $r.1.wm >/dev/null 2>&1
	same=0
	n=0
	while read -r report; do
		for form in --json --csv; do
			wm-analyze -q $form $report $r.1.wm >one 2>/dev/null
			case $? in
			0 | 4) ;;
			*) continue ;;
			esac
			n=$((n + 1))
			(cd packed && wm-analyze -q $form $report $r.1.wm) \
				>two 2>/dev/null
			sed -i '/"trace_bytes"/d' one two
			cmp -s one two || {
				echo "# $report $form"
				diff one two | head -6 | sed 's/^/# /'
				same=1
			}
		done
	done < <(grep -v repack list)
	is "$r: repacked, the same answers" "$same,$((n > 5))" 0,1
done
done_testing
