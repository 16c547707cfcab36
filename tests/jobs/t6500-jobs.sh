# SPDX-License-Identifier: Apache-2.0
# Traces that are not of one job, and ranks that disagree: reported clearly, and
# the job that began last counts.  Files of earlier jobs are never overwritten.
. "$(dirname "$0")/../lib.sh" analyze-lib python3
T=1700000000000000000

# job DIR FIRST LAST OF SECONDS [HOW]: ranks that began so late; HOW: more
# statements, one a line; a statement "copy N" is the number of the files
job() {
	local i n=
	case ${6:-} in
	"copy "*) n=.${6#copy } ;;
	esac
	{
		printf 'program app\nelf app\nbuild-id aa01\nid 1\n'
		echo "real $((T + $5 * 1000000000))"
		[ "$n" ] || printf '%s\n' "${6:-}"
		for ((i = $2; i <= $3; i++)); do
			[ -z "$n" ] ||
				printf 'file rank-%06d%s.wmt.xz\n' $i $n
			echo "rank $i of $4"
			echo "t 1000010 malloc 0x1000 $(($4 * 1000 + i)) main<f"
			echo end
		done
	} | run "$1"
}
ranks='[r["rank"] for r in j["ranks"]]'
said() { # RUN: its notes, one a line
	wm-analyze "$1" 2>&1 >/dev/null
}

# ---- left by an earlier job ----
job left.1.wm 0 7 8 0
job left.1.wm 0 3 4 300 "copy 2"
is "8 ranks, then 4 in the same directory: the later job" \
	"$(json "$ranks, j['heap']['peak']['max'], j['run']['ranks']" left.1.wm)" \
	"[0, 1, 2, 3] 4003 4"
like "the others are named" "$(said left.1.wm)" "^wm-analyze: 'left.1.wm' holds \
traces of several jobs: the one that began last, of 4 ranks, counts; ranks 4, \
5, 6, 7 are left out, of job '1' of 8 ranks that began 300 s earlier$"
is "status" "$(status wm-analyze left.1.wm)" 4
like "JSON" "$(json 'j["run"]["notes"]' left.1.wm)" 'several jobs'
for report in --imbalance --functions "--functions --rank all" --timeline; do
	has_no "$report: no rank of the other one" '800[4-7]' sh -c \
		"wm-analyze -q --json $report left.1.wm; [ \$? -eq 4 ]"
done
job more.1.wm 0 3 4 0
job more.1.wm 0 3 8 300 "copy 2"
job more.1.wm 4 7 8 300
is "4 ranks, then 8: all of the later job" \
	"$(json "$ranks, j['run']['complete']" more.1.wm)" \
	"[0, 1, 2, 3, 4, 5, 6, 7] False"
is "the earlier ones are not read" "$(status wm-analyze more.1.wm)" 4
job same.1.wm 0 3 4 0
job same.1.wm 0 1 4 300 "copy 2"
is "the same size, and the later one died early: no mixture" \
	"$(json "$ranks, j['run']['missing_ranks']" same.1.wm)" \
	"[0, 1] [2, 3]"
like "said" "$(said same.1.wm)" 'ranks 2, 3 are left out, of job .1. of 4 '
job twice.1.wm 0 299 300 0
job twice.1.wm 0 299 300 300 "copy 2"
like "every rank twice: one line, in which the others are counted" \
	"$(said twice.1.wm)" \
	'^wm-analyze: rank 0 .299 more ranks alike.: 2 processes ran one after the other'
is "the earlier ones are not read, either" "$(status wm-analyze twice.1.wm)" 4

# ---- traces of two jobs copied together ----
job both.1.wm 0 1 4 0
job other 2 3 4 50 "id 77"
cp other/* both.1.wm/
is "two jobs in one directory: the later one" "$(json "$ranks" both.1.wm)" \
	"[2, 3]"
like "both are named" "$(said both.1.wm)" \
	"ranks 0, 1 are left out, of job '1' of 4 ranks that began 50 s earlier"
is "status of two jobs" "$(status wm-analyze both.1.wm)" 4
is "who names files asks about these" \
	"$(json "$ranks" both.1.wm/rank-00000[01].wmt.xz)" "[0, 1]"

# ---- a job that still runs ----
job running.1.wm 0 1 2 0
printf 'program app\nid 1\nreal %s\nfile rank-000000.2.wmt.xz\nrank 0 of 2
t 1000010 malloc 0x1000 7 main<f\n' $((T + 300000000000)) | run running.1.wm
is "a second job that still runs" \
	"$(json "$ranks, j['run']['missing_ranks']" running.1.wm)" "[0] [1]"
like "a second job that still runs: said" "$(said running.1.wm)" \
	'has no end: the process was killed or still runs'

# ---- a rank that begins between the scan and the reading ----
gcc -shared -fPIC -o late.so "$progs/jobs/late.c" -ldl
# changing TURN ARGUMENT...: wm-analyze, while rank 1 gets another file
changing() {
	LATE_NAME=rank-000001.wmt.xz LATE_FILE=$W/late LATE_TURN=$1 \
		LD_PRELOAD=$W/late.so "$BUILD/bin/wm-analyze" "${@:2}"
}
bytes='import json, sys
print([(r["rank"], r["peak_bytes"]) for r in json.load(sys.stdin)["ranks"]])'
job late.1.wm 0 1 2 0
mv late.1.wm/rank-000001.wmt.xz late
: >late.1.wm/rank-000001.wmt.xz
is "a rank begins after the scan: it counts" \
	"$(changing 3 -q --json late.1.wm | python3 -c "$bytes")" \
	"[(0, 2000), (1, 2001)]"
ok "a rank begins after the scan: the file has come" test ! -e late
job late.2.wm 0 1 2 0
job late.3.wm 1 1 2 50
mv late.3.wm/rank-000001.wmt.xz late
is "another trace takes its place: scanned again" \
	"$(changing 2 -q --json --imbalance late.2.wm | python3 -c "$bytes")" \
	"[(0, 2000), (1, 2001)]"
job late.4.wm 0 1 2 0
for i in 1 2 3 4 5 6 7 8 9; do
	job late.5.wm 1 1 2 $((i * 50))
	mv late.5.wm/rank-000001.wmt.xz late.$i
done
like "one that changes all the time is an error in the end" \
	"$(changing 0 late.4.wm 2>&1 >/dev/null)" \
	"^wm-analyze: rank 1: .*another trace has taken its place since"
is "with three scans" "$(ls late.[1-9] 2>/dev/null | wc -l)" 3

# ---- clocks ----
job clock.1.wm 0 0 2 0 "host north
boot b1"
job clock.1.wm 1 1 2 3600 "host south
boot b2"
like "nodes an hour apart" "$(said clock.1.wm)" "^wm-analyze: rank 1: .*: by the \
clock of 'south' it began 3600 s after rank 0 by that of 'north': the clocks \
of the nodes differ, or these are traces of several jobs; no times of the two are compared"
is "nodes an hour apart: both ranks count" "$(json "$ranks" clock.1.wm)" "[0, 1]"
is "nodes an hour apart, and not at the same time: doubt" \
	"$(status wm-analyze clock.1.wm)" 4
job waves.1.wm 0 0 2 0 "boot b1"
job waves.1.wm 1 1 2 3600 "boot b1"
is "one machine, one after the other: no doubt" \
	"$(status wm-analyze waves.1.wm)" 0
like "but said" "$(said waves.1.wm)" \
	'did not begin together: rank 1 began 3600 s after rank 0$'

# ---- builds and versions of the format ----
job builds.1.wm 0 1 4 0
job other.2 2 2 4 1 "build-id bb02"
job other.3 3 3 4 1 "major 9"
cp other.2/rank* other.3/rank* builds.1.wm/
like "another build is named" "$(said builds.1.wm)" \
	'different builds: rank 2 is not of the one that rank 0 ran'
like "so is a version of the format that is not known" "$(said builds.1.wm)" \
	"rank 3: 'rank-000003.wmt.xz': trace format 9\\.0"
is "the others are read" "$(json "$ranks" builds.1.wm)" "[0, 1, 2]"
is "status of a mixture" "$(status wm-analyze builds.1.wm)" 4

# ---- real programs: nothing is overwritten ----
export WM_RUN_ID=again WM_NAME=job
wmcc -O1 -g -fno-builtin -o one "$progs/jobs/one.c"
wmcc -O1 -g -fno-builtin -DTWO -o two "$progs/jobs/one.c"
for i in 0 1 2; do
	PMI_RANK=$i PMI_SIZE=3 ./one.wm
done
sha256sum job.again.wm/* >before
for i in 0 1; do
	PMI_RANK=$i PMI_SIZE=2 ./two.wm
done
ok "another program in the same directory overwrites nothing" \
	sha256sum --quiet -c before
is "it is the one that counts" "$(json "$ranks" job.again.wm)" "[0, 1]"
is "its functions have names of its own build" "$(json \
	'[(f["name"], f["bytes"]) for f in j["functions"]][0]' job.again.wm)" \
	"('main', 666)"
like "another build's bundle is not taken" "$(said job.again.wm)" \
	'program.wmc.xz. is not the program that'

# ---- ranks and their nodes ----
# Two ranks that hold 500 and 700 bytes at the same time; $1, $2: what each
# says of its node.
pair() {
	local held='t 1000010 malloc 0x1000 500 main<f
t 2000000000 free 0x1000
end'
	rm -rf pair.1.wm
	printf 'elf app\n%s\nrank 0 of 2\n%s\n%s\nrank 1 of 2\n%s\n' "$1" \
		"$held" "$2" "${held/500/700}" | run pair.1.wm
}
nodes() {
	json '[(n["ranks"], n["peak_bytes"]) for n in j["imbalance"]["nodes"]], \
		j["run"]["nodes"]' --imbalance pair.1.wm
}
pair 'host c1
boot b' 'host c2'
is "containers: other names, one kernel: one node" "$(nodes)" "[(2, 1200)] 1"
is "containers: no doubt" "$(status wm-analyze --imbalance pair.1.wm)" 0
pair 'host localhost
boot b1' 'boot b2'
is "the same name, other kernels: two nodes" "$(nodes)" \
	"[(1, 500), (1, 700)] 2"
pair 'host n1
boot -' ''
is "no boot id: the name counts" "$(nodes)" "[(2, 1200)] 1"
pair 'host localhost
boot -' ''
is "no boot id, and a name that says nothing: each is alone" "$(nodes)" \
	"[(1, 500), (1, 700)] 2"
early="mono 905000000000
real $((T - 900000000000))"
pair 'host n1
boot b' "$early"
is "a time namespace: aligned by CLOCK_REALTIME" "$(nodes)" "[(2, 1200)] 1"
like "a time namespace: said" "$(wm-analyze --imbalance pair.1.wm 2>&1 \
	>/dev/null)" "same boot, but their clocks are 900 s apart: taken for one \
node, by CLOCK_REALTIME$"
pair 'host n1
boot b' "host n2
$early"
is "other names as well, containers or copies: one node" "$(nodes)" \
	"[(2, 1200)] 1"
is "which may be wrong" "$(status wm-analyze --imbalance pair.1.wm)" 4
like "and is said" "$(wm-analyze --imbalance pair.1.wm 2>&1 >/dev/null)" \
	"'n1' and rank 1 on 'n2' name the same boot.*copies of a virtual machine"
pair 'host n1
boot b' "mono 8000000000
real $((T - 3000000000))"
has_no "a clock that was set by a few seconds is no other node" boot \
	sh -c "wm-analyze --imbalance pair.1.wm 2>&1"

if unshare --uts --time --monotonic 1000 --fork true 2>/dev/null; then
	wmcc -O1 -fno-builtin -o hold "$progs/jobs/hold.c"
	export WM_NAME=hold WM_RUN_ID=1
	PMI_RANK=0 PMI_SIZE=2 ./hold.wm &
	PMI_RANK=1 PMI_SIZE=2 unshare --uts --time --monotonic 90000 --fork \
		bash -c 'hostname other; exec ./hold.wm'
	wait
	is "real namespaces: one node, both ranks at once" "$(json '[(n["ranks"],
		n["peak_bytes"] >> 20) for n in j["imbalance"]["nodes"]]' \
		--imbalance hold.1.wm)" "[(2, 2)]"
else
	skip "real namespaces" "unshare may not make a time namespace here"
fi
done_testing
