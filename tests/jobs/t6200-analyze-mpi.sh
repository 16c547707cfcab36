# SPDX-License-Identifier: Apache-2.0
# wm-analyze-mpi: every report has the bytes and the exit status of wm-analyze,
# by any number of processes, under every MPI that is here.
. "$(dirname "$0")/../lib.sh" analyze-lib
[ -x "$BUILD/bin/wm-analyze-mpi" ] ||
	skip_all "wm-analyze-mpi is missing: make MPICC=mpicc"
export OMPI_MCA_btl=self,vader
export OMPI_MCA_orte_base_help_aggregate=0

# ---- programs: this build's, and one for each other MPI ----

# build MPICC NAME [FLAG]: the same objects, with another MPI
build() {
	(
		cd "$SRC" || exit 1
		flags=$(cat "$BUILD/flags")
		export MPICH_CC=$flags OMPI_CC=$flags
		"$1" -c -o "$W/$2.o" analyze/job/port_mpi.c &&
			"$1" ${3-} -o "$W/$2" "$W/$2.o" \
				$(cat "$BUILD/obj/wm-analyze-mpi.link")
	)
}

# MPIs: NAME MPICC MPIEXEC
static=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null || :)
mpis=
while read -r name cc exec; do
	if ! command -v "$cc" >/dev/null || ! command -v "$exec" >/dev/null; then
		skip "$name" "$cc and $exec are missing"
		continue
	fi
	ok "$name: builds" build "$cc" "mpi-$name" || continue
	mpis="$mpis $name"
	eval "exec_${name//-/_}=\$exec"
done <<X
mpich mpicc.mpich mpiexec.mpich
openmpi mpicc.openmpi mpiexec.openmpi
static-mpich ${static:-/none}/bin/mpicc ${static:-/none}/bin/mpiexec
X
[ -n "$mpis" ] || skip_all "no mpicc with its mpiexec"

# with NAME N ARGUMENT...: like wm-analyze ARGUMENT..., by N processes
with() {
	local name=$1 n=$2 launch
	shift 2
	eval "launch=\$exec_${name//-/_}"
	timeout 60 "$launch" -n "$n" "$W/mpi-$name" "$@"
}

# same WHAT NAME N ARGUMENT...: output and status are those of wm-analyze
same() {
	local what=$1 name=$2 n=$3 want got
	shift 3
	wm-analyze "$@" >want.out 2>want.err
	want=$?
	case $* in
	"--help all" | --version)
		sed -i '1s/wm-analyze/wm-analyze-mpi/; s/^  wm-analyze /  wm-analyze-mpi /' want.out ;;
	esac
	with "$name" "$n" "$@" >got.out 2>got.err
	got=$?
	last_status=$got
	if cmp -s want.out got.out; then
		is "$what" $got $want
	else
		tap_result 1 "$what"
		{ cmp want.out got.out; cat got.err; } 2>&1 | head -20 |
			sed 's/^/# /'
	fi
}

# ---- a run with a bit of everything ----

# rank R: of seven, on three hosts
rank() {
	local r=$1 i
	cat <<-X
	host node$((r / 3))
	field 72 $((r + 1))
	rank $r of 7
	t 1001000 phase set up
	t 1002000 malloc 0x1000 $((1000 + 100 * (r * 5 % 7))) main<setup<grid
	t 1003000 name 0x1000 the grid
	t 1004000 calloc 0x9000 $((r + 10)) main<setup<table$r
	t 1005000 snapshot before
	t 1006000 phase solve
	thread 1
	t 1006500 stack 0x700000 4096 main<threads
	X
	for i in 1 2 3 4 5 6 7 8; do
		echo "t 101${i}000 malloc 0x2${i}000 $((i * 10 + r)) main<solve<f$i"
		echo "t 101${i}100 realloc 0x2${i}000 0x3${i}000 $((i * 20)) main<solve<g$i"
	done
	cat <<-X
	t 1030000 map 0x100000 8192 main<pages
	t 1031000 unmap 0x101000 4096
	t 1032000 mpi 0x200000 500 main<window
	t 1033000 snapshot -
	t 1034000 pause
	t 1035000 resume
	t 1036000 free 0x31000
	t 1037000 failed 77 main<big
	thread 0
	t 1050000 free 0x1000
	end
	X
}

{
	printf 'program app\nelf app.wm\nid 1\n'
	for r in 0 1 2 3 4 5 6; do rank $r; done
} >seven
run app.1.wm <seven
ok "the run is readable" wm-analyze app.1.wm
sed 's/grid$/other<grid/; s/ 8192 / 12288 /' seven | run two.1.wm

main=${mpis# }
main=${main%% *}
for name in $mpis; do
	for n in 1 2 3 5; do
		same "$name, $n processes: summary" $name $n --json app.1.wm
	done
	same "$name: text, and no colour" $name 3 app.1.wm
	same "$name: sum of all ranks" $name 3 --json --functions --rank all \
		app.1.wm
done
same "7 processes" $main 7 --json app.1.wm
same "9 processes, 7 files" $main 9 --json app.1.wm
same "two threads each" $main 2 --json -j 2 app.1.wm
same "text" $main 3 app.1.wm
same "the rank with the lowest peak" $main 3 --json --rank min app.1.wm
same "rank 4" $main 3 --json --rank 4 app.1.wm
same "a rank that is not there" $main 3 --json --rank 8 app.1.wm
same "one file" $main 3 --json app.1.wm/rank-000002.wmt.xz
same "--at" $main 3 --json --functions --at 15us app.1.wm
same "--at a part of the time" $main 3 --json --functions --at 50% --rank all app.1.wm
same "--at a snapshot that is not there" $main 3 --functions --at none app.1.wm
same "--by sites" $main 3 --json --timeline --by sites app.1.wm
same "--by threads" $main 3 --json --functions --by threads --rank 1 app.1.wm
same "--by phases" $main 3 --json --timeline --by phases --rank 1 app.1.wm
same "CSV" $main 3 --csv app.1.wm
same "too many blocks" $main 3 --max-blocks 5 app.1.wm
is "all ranks are refused" "$last_status $(grep -c 'than 5 blocks' got.err)" \
	"$(wm-analyze --max-blocks 5 app.1.wm >/dev/null 2>&1; echo $?) $(grep -c 'than 5 blocks' want.err)"

# ---- every report that there is ----

echo 'static char room[4096]; int main(int c, char **v) { return room[c] + !v; }' \
	>st.c
ok "a program with a census builds" wmcc -g -o st st.c
# what a report needs beside RUN
arguments() {
	case $1 in
	compare) echo app.1.wm two.1.wm ;;
	history) echo . ;;
	export) echo folded app.1.wm ;;
	cache) echo L1=32K/8 app.1.wm ;;
	rules) ;;
	static-report) echo st.wm ;;
	model) echo app.1.wm two.1.wm --problem-size 100,200 ;;
	html) echo - app.1.wm ;;
	*) echo app.1.wm ;;
	esac
}
reports=$(wm-analyze --help all | sed -n '/^Reports:/,/^$/s/^  --\([a-z-]*\).*/\1/p')
ok "wm-analyze --help lists reports" test "$(echo "$reports" | wc -w)" -ge 8
for r in $reports; do
	case $r in
	repack) continue ;; # below
	export | rules | html) json= ;;
	*) json=--json ;;
	esac
	same "--$r" $main 3 --$r $(arguments $r) $json
	like "--$r: has something to say" "$(wc -c <want.out)" '^[0-9]{3,}$'
done
run pages.1.wm <<'E'
elf app.wm
clock mono
rank 0 of 2
t 1000100 malloc 0x10000000 40000 main
epoch 10000000 9000000 0x10000-0x10003 0x10000 1 1
pages
end
rank 1 of 2
t 1000100 malloc 0x10000000 50000 main<more
covered 0x10000-0x10010 1
not-covered 2 4096
epoch 10000000 9000000 0x10000-0x10004 0x10000 1 1
epoch 20000000 19000000 0x10001 - 1 1
pages the program forked
end
E
same "--pages: of a run that has them" $main 3 --pages --json \
	--checkpoint 10ms --tier 8K pages.1.wm
like "--pages: all of it" "$(cat got.out)" '"end": "the program forked"'
run dead.1.wm <<'E'
elf app.wm
window
rank 0 of 3
t 1000100 malloc 0x10000000 40000 main<first
rank 1 of 3
t 1000200 malloc 0x10000000 50000 main<second
rank 2 of 3
t 1000100 malloc 0x10000000 60000 main<second
E
same "ranks without end" $main 3 --json dead.1.wm
like "ranks without end: where each was" "$(cat got.out)" '"path": "main;first"'
bring access/known.c
if WMCC_ACCESS=1 wmcc -g -O1 -static -o known known.c -lpthread &&
	mkdir known.run && WM_DIR=known.run ./known.wma >/dev/null; then
	same "--accesses: of a run that has them" $main 3 --accesses --json \
		known.run/*
	like "--accesses: all of it" "$(cat got.out)" '"variable": "shared"'
	for r in "--cache L1=1K/2,L2=8K/4" --reuse --false-sharing; do
		same "$r: likewise" $main 3 $r --json known.run/*
		like "$r: not empty" "$(cat got.out)" '"(loads|touches|lines)": [1-9]'
	done
else
	ok "--accesses: there is a run that has them" false
fi
# names of local variables are found where traces are read
. "$SRC/tests/access-lib.sh"
if gcc -g -O0 -fsanitize=thread -c -o locals.o "$progs/names/locals.c" &&
	access_link dynamic gcc locals locals.o; then
	cp locals full.locals
	strip locals
	mkdir locals.run && WM_ACCESS_LOCALS=on WM_DIR=locals.run \
		./locals >/dev/null
	same "--exe: helpers have the file, too" $main 3 --accesses --json \
		--exe full.locals locals.run/*
	like "--exe: names of local variables" "$(cat got.out)" '"stale::old'
	same "--exe: of another build" $main 3 --exe known.wma locals.run/*
else
	ok "--exe: there is a run with local variables" false
fi
ok "--repack" with $main 3 --repack --output copy app.1.wm
ok "--repack: as by wm-analyze" wm-analyze --repack --output copy2 app.1.wm
ok "--repack: the same files" diff -r copy/app.1.wm copy2/app.1.wm

# ---- whatever goes wrong is told once ----

# told NAME ARGUMENT...: stderr of three processes is that of wm-analyze, but
# for what the launcher adds
told() {
	same "$@"
	is "$1: said once" "$(grep '^wm-analyze:' got.err)" \
		"$(grep '^wm-analyze:' want.err)"
}
told "--help" $main 3 --help all
told "--version" $main 3 --version
told "an unknown option" $main 3 --nonsense app.1.wm
told "no such run" $main 3 --json nowhere.wm
told "the run is whole" $main 3 --json app.1.wm

cp -r app.1.wm bad.1.wm
size=$(stat -c %s bad.1.wm/rank-000001.wmt.xz)
truncate -s $((size - size / 3)) bad.1.wm/rank-000001.wmt.xz
echo "this is no trace" >bad.1.wm/rank-000003.wmt.xz
printf '\377\377\377\377' | dd of=bad.1.wm/rank-000005.wmt.xz bs=1 \
	seek=$((size / 2)) conv=notrunc 2>/dev/null
rm bad.1.wm/rank-000006.wmt.xz
for name in $mpis; do
	told "$name: damaged files, a missing rank" $name 3 --json bad.1.wm
	is "$name: status 4" $last_status 4
done
for r in $reports; do
	case $r in
	repack | compare | model | export | static-report | rules) continue ;;
	html) same "damaged: --html" $main 2 --html - bad.1.wm; continue ;;
	esac
	same "damaged: --$r" $main 2 --json --$r bad.1.wm
done
mkdir none.1.wm
for r in 0 1 2; do
	echo "this is no trace" >none.1.wm/rank-00000$r.wmt.xz
done
told "nothing is readable" $main 3 --json none.1.wm
is "nothing is readable: status 3" $last_status 3
cp app.1.wm/rank-000002.wmt.xz twice.wmt.xz
told "a rank twice ends it early" $main 3 --json \
	app.1.wm/rank-*.wmt.xz twice.wmt.xz

# ---- without a launcher ----
for name in $mpis; do
	wm-analyze --json app.1.wm >want.out 2>/dev/null
	timeout 60 "$W/mpi-$name" --json app.1.wm >got.out 2>got.err
	is "$name, alone: status" $? 0
	ok "$name, alone: the same bytes" cmp want.out got.out
done

# ---- under the launcher of another MPI ----
# Each process would be alone with the whole work: one message, and status 2.
for name in $mpis; do
	for other in $mpis; do
		case $name/$other in
		*mpich/*mpich | openmpi/openmpi) continue ;;
		esac
		what="$name under $other's launcher"
		eval "launch=\$exec_${other//-/_}"
		timeout 60 "$launch" -n 3 "$W/mpi-$name" --json app.1.wm \
			>got.out 2>got.err
		is "$what: status" $? 2
		is "$what: no report" "$(grep -c '"run"' got.out)" 0
		is "$what: one message" "$(grep -c '^wm-analyze' got.err)" 1
		case $name in
		*mpich) built='MPICH [0-9.]+' by="Open MPI's mpirun" ;;
		*) built='Open MPI v[0-9.]+' by="MPICH's mpiexec" ;;
		esac
		like "$what: it names both" "$(cat got.err)" \
			"^wm-analyze-mpi: built with $built, but started 3 times by $by,"
		timeout 60 "$launch" -n 1 "$W/mpi-$name" --json app.1.wm \
			>got.out 2>got.err
		is "$what, one process: status" $? 0
	done
	# who ends with an error first ends the job: the one that says why
	case $name in
	*mpich) outer=(OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK) ;;
	*) outer=(MPI_LOCALNRANKS=3 PMI_SIZE=3 PMI_RANK) ;;
	esac
	for me in 0 1; do
		env "${outer[@]:0:${#outer[@]}-1}" "${outer[-1]}=$me" \
			timeout 60 "$W/mpi-$name" --json app.1.wm >got.out 2>got.err
		is "$name, process $me of another MPI: status, messages" \
			"$? $(grep -c '^wm-analyze' got.err)" \
			"$((me ? 0 : 2)) $((me ? 0 : 1))"
	done
	# the launcher of a job in which this one runs is none of ours
	OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=1 PMI_SIZE=4 PMI_RANK=1 \
		with $name 2 --version >got.out 2>got.err
	is "$name, variables of an outer job: status" "$? $(cat got.out)" \
		"0 $(wm-analyze --version | sed '1s/^[^ ]*/wm-analyze-mpi/')"
done

# ---- another build on one of the nodes ----
name=${mpis# }
name=${name%% *}
eval "launch=\$exec_${name//-/_}"
ok "$name: another build" build "mpicc.${name#static-}" other \
	-Wl,--build-id=0x1234abcd
# a launcher under load can end without an aborted process's last words
for _ in 1 2 3 4 5; do
	timeout 60 "$launch" -n 1 "$W/mpi-$name" --json app.1.wm : \
		-n 1 "$W/other" --json app.1.wm >got.out 2>got.err
	status=$?
	[ ! -s got.err ] || break
done
is "two builds: no report, and a status" \
	"$((status > 0)) $(wc -c <got.out)" "1 0"
like "two builds: both are named" "$(cat got.err)" \
	"process 1, on [^ ]+, is another build of wm-analyze-mpi \([^)]*1234abcd\) than process 0 \([^)]*[0-9a-f]{40}\): start the same one"

# ---- more than a message or two ----
if [ -x "$BUILD/test/tools/wmt-job" ]; then
	"$BUILD/test/tools/wmt-job" big.1.wm --ranks 300 --per-node 16 \
		--events 1500 --paths 300 --depth 30 >/dev/null
	for name in $mpis; do
		for o in --summary "--functions --rank all" --imbalance; do
			same "$name: 300 ranks, $o" $name 3 --json $o big.1.wm
		done
	done
else
	skip "300 ranks" "wmt-job is missing: make unit-tests"
fi
done_testing
