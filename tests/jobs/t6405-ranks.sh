# SPDX-License-Identifier: Apache-2.0
# WM_RANKS: the ranks that it names are traced, the others pay nothing, and do
# not count as lost.
. "$(dirname "$0")/../lib.sh" python3

wmcc -g -static -fno-builtin -o families "$progs/families.c" || exit 1
wmcc -g -fno-builtin -o dynamic "$progs/families.c" || exit 1

# ranks N COMMAND...: N ranks, as a launcher would tell them, into ./run
ranks() {
	local n=$1 i
	shift
	rm -rf run
	for i in $(seq 0 $((n - 1))); do
		WM_DIR=$W/run WM_RUN_ID=j PMI_RANK=$i PMI_SIZE=$n "$@" \
			>/dev/null 2>>err || echo "rank $i: $?" >>err
	done
}
said() { wm-analyze --quiet --json "$@" 2>note; }
names() { (cd run/*.wm 2>/dev/null && find . -type f | sort | tr '\n' ' '); }

for kind in families dynamic; do
	: >err
	ranks 8 env WM_RANKS=1,4-7:2 ./$kind.wm
	is "$kind: three of eight ranks leave a trace" "$(names)" \
		"./program.wmc.xz ./rank-000001.wmt.xz ./rank-000004.wmt.xz ./rank-000006.wmt.xz "
	is "$kind: nothing is said" "$(cat err)" ""
	said run/*.wm >out
	is "$kind: not reported as incomplete" $? 0
	is "$kind: JSON tells the choice" "$(jq -c '.run | [.ranks, .traced_ranks,
		.left_out_ranks, .missing_ranks, .complete]' out)" \
		'[8,"1,4-7:2",5,[],true]'
	like "$kind: and so do reports" "$(wm-analyze run/*.wm 2>&1)" \
		'3 of 8 ranks are traced, by WM_RANKS=1,4-7:2'
	is "$kind: as many events a rank as ever" "$(jq '[.ranks[].events] |
		unique | length' out)" 1
done
is "an independent reader sees it" "$("$dump" --summary \
	run/*.wm/rank-000001.wmt.xz | jq -r .info.traced_ranks)" 1,4-7:2
rm run/*.wm/rank-000004.wmt.xz
said run/*.wm >out
is "a rank that was chosen and is not there: incomplete" $? 4
is "it alone is missing" "$(jq -c '.run | [.left_out_ranks, .missing_ranks]' \
	out)" '[5,[4]]'
ok "repack" sh -c "cp -r run/*.wm packed && wm-analyze --repack packed"
is "repacked: the choice is kept" "$(said packed | jq -c '.run |
	[.left_out_ranks, .missing_ranks]')" '[5,[4]]'

# Files of different choices: what is not there may have been lost.
ranks 4 env WM_RANKS=0-1 ./families.wm
rm run/*.wm/rank-000001.wmt.xz
WM_DIR=$W/run WM_RUN_ID=j PMI_RANK=2 PMI_SIZE=4 ./families.wm >/dev/null
said run/*.wm >out
is "ranks that disagree: nothing is excused" "$? $(jq -c '.run |
	[.traced_ranks, .left_out_ranks, .missing_ranks]' out)" \
	'4 [null,0,[1,3]]'

: >err
ranks 2 env WM_RANKS=5 ./families.wm
is "no rank of the job is chosen: no directory" "$(ls run 2>&1 | grep -c wm)" 0
is "no rank of the job is chosen: told once" "$(cat err)" \
	"wmtrace: nothing is traced: the job has no rank that WM_RANKS names, the lowest of which is 5"
: >err
ranks 2 env WM_RANKS=5 WM_QUIET=1 ./families.wm
is "WM_QUIET=1: not even that" "$(cat err)" ""
: >err
ranks 2 env WM_RANKS=0-,3 ./families.wm
like "a bad list: told once" "$(cat err)" \
	"^wmtrace: WM_RANKS='0-,3' is not a list of ranks.*taking the default$"
is "a bad list: all are traced" "$(find run -name 'rank-*' | wc -l)" 2
long=$(seq -s, 1 2000)
: >err
ranks 1 env "WM_RANKS=0,$long" ./families.wm
like "a list that is too long: told" "$(cat err)" "taking the default"
rm -rf run
WM_DIR=run WM_RANKS=0,9 ./families.wm
is "without launcher a program is rank 0" "$(find run -name 'rank-*' |
	wc -l)" 1

# The cost for the others.
if command -v strace >/dev/null; then
	calls() { # VARIABLES...: system calls but those of the program alone
		env WM_DIR="$W/run" WM_RUN_ID=k PMI_RANK=3 PMI_SIZE=8 "$@" \
			strace -f ./families.wm 2>&1 >/dev/null |
			sed 's/(.*//' | grep -E '^[a-z]' | sort | uniq -c
	}
	rm -rf run
	calls WM_DISABLE=1 >disabled
	calls WM_RANKS=0 >left
	# getpid: who am I
	is "another rank makes no system call but one" \
		"$(diff disabled left | grep '^[<>]')" "$(printf '>%8s getpid' 1)"
else
	skip "system calls" "strace is missing"
fi
if command -v valgrind >/dev/null; then
	count() { # VARIABLES...
		env WM_DIR="$W/run" WM_RUN_ID=k PMI_RANK=3 PMI_SIZE=8 "$@" \
			valgrind --tool=callgrind --callgrind-out-file=cg \
			./loop.wm $n 2>&1 | awk '/Collected/ {print $4}'
	}
	wmcc -O2 -static -fno-builtin -o loop "$progs/count.c"
	n=0
	d0=$(count WM_DISABLE=1) l0=$(count WM_RANKS=0)
	n=10000
	d1=$(count WM_DISABLE=1) l1=$(count WM_RANKS=0)
	echo "# once: $((l0 - d0)) instructions more than with WM_DISABLE=1;" \
		"a pair: $(((d1 - d0) / n)) and $(((l1 - l0) / n))"
	ok "a pair costs what it does with WM_DISABLE=1" \
		test $(((l1 - l0) / n)) -le $(((d1 - d0) / n))
	ok "once at most 30,000 instructions" test $((l0 - d0)) -le 30000
else
	skip "instructions" "valgrind is missing"
fi

# An unknown launcher: MPI provides the rank.
mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null)
if [ -n "$mpi" ] && [ -x "$mpi/bin/mpicc" ]; then
	ok "an MPI program builds" env WM_CC="$mpi/bin/mpicc" wmcc -g -static \
		-fno-builtin -o late "$progs/mpi/late.c"
	for n in 0 100000; do
		rm -rf run
		ok "unknown launcher, $n events before: runs" env WM_DIR="$W/run" \
			WM_RANKS=1,3 timeout 120 "$mpi/bin/mpiexec" -n 4 env \
			-u MPI_LOCALRANKID ./late.wm $n
		is "unknown launcher, $n before: two traces" "$(find run -name \
			'rank-*' | sed 's,.*/,,' | sort | tr '\n' ' ')" \
			"rank-000001.wmt.xz rank-000003.wmt.xz "
		is "unknown launcher, $n before: one directory, no window" \
			"$(find run -name "*.wm" -o -name "*.wmw" | wc -l)" 1
		is "unknown launcher, $n before: two ranks left out" \
			"$(said run/*.wm | jq -c '.run | [.ranks,
			.left_out_ranks, .complete]')" '[4,2,true]'
	done
	rm -rf run
	ok "hydra" env WM_DIR="$W/run" WM_RANKS=0-9:2 timeout 120 \
		"$mpi/bin/mpiexec" -n 4 ./late.wm 10
	is "hydra: ranks 0 and 2" "$(said run/*.wm | jq -c '.run.left_out_ranks,
		[.ranks[].rank]' | tr '\n' ' ')" '2 [0,2] '
	rm -rf run
	WM_DIR=$W/run WM_RANKS=1 timeout 60 ./late.wm 10 2>err
	is "MPI without launcher: a job of one" "$(cat err) $(ls run 2>&1 |
		grep -c wm)" "wmtrace: nothing is traced: the job has no rank that WM_RANKS names, the lowest of which is 1 0"
	rm -rf run
	WM_DIR=$W/run WM_RANKS=1 timeout 60 ./late.wm 10 vfork 2>err
	is "a vfork child that ends before MPI_Init decides nothing" \
		"$(cut -c 1-26 err) $(ls run 2>&1 | grep -c wm)" \
		"wmtrace: nothing is traced 0"

	# Traces that move to names which those of a run before have.
	rm -rf run
	for i in 1 2; do
		ok "each is rank 0 of 1 until MPI comes, run $i" env \
			WM_DIR="$W/run" WM_RUN_ID=same PALS_RANKID=0 \
			PALS_NRANKS=1 timeout 120 "$mpi/bin/mpiexec" -n 4 \
			./late.wm 10
	done
	is "eight traces, and no window beside one" "$(find run -name \
		'rank-*' | sed 's/.*[.]//' | sort | uniq -c | tr -s ' \n' ' ')" \
		" 8 xz "
else
	skip "ranks that MPI tells" "static MPICH is missing: scripts/setup --mpi"
fi
done_testing
