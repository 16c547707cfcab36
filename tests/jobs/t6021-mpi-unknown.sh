# SPDX-License-Identifier: Apache-2.0
# WM_MPICC: the shim for an unknown MPI, whose handles are neither
# integers nor addresses; and for those that are known.
. "$(dirname "$0")/../lib.sh" python3

mkdir own
printf '#!/bin/sh\nexec gcc -I%s "$@"\n' "$progs/mpi/own" >ownmpicc
chmod +x ownmpicc
gcc -c -fPIC \
	-o own/mpi.o "$progs/mpi/own/mpi.c" && ar rc own/libown.a own/mpi.o &&
	gcc -shared -o own/libown.so own/mpi.o

# pair NAME PROGRAM ARGUMENT...: ranks 0 and 1 of a job that no launcher names
pair() {
	local name=$1 f
	shift
	rm -rf run file
	mkdir run
	for r in 0 1; do
		WM_DIR=run OWN_RANK=$r OWN_SIZE=2 OWN_FILE=$W/file \
			LD_LIBRARY_PATH=$W/own timeout 60 "$@" &
	done 2>err
	wait
	is "$name: ranks of one directory" "$(for f in run/*.wm/rank-*; do
		"$dump" --summary "$f" | jq -r '"\(.info.rank)/\(.info.ranks
			) \(.complete)"'
	done | tr '\n' ';') $(ls run | wc -l)" "0/2 true;1/2 true; 1"
}
for kind in static dynamic; do
	flags=("-L$W/own")
	[ $kind = static ] && flags+=(-static)
	rm -f prog prog.wm
	ok "$kind: builds" env WM_MPICC="$W/ownmpicc" WM_CC="$W/ownmpicc" wmcc \
		-o prog "$progs/mpi/own/prog.c" "${flags[@]}" -lown
	pair "$kind" ./prog.wm
	like "$kind: handles are not known" "$(wm-analyze -q --leaks run/*)" \
		'^Handles of MPI .* not looked at.* with WM_MPICC, '
	is "$kind: handles are not known, JSON" "$(wm-analyze -q --leaks --json \
		run/* | jq .never_freed.handles_known)" false
	is "$kind: rank 1 has its block" "$("$dump" run/*/rank-000001.wmt.xz |
		awk '$3 == "MALLOC" && $5 == 2000 {n++} END {print n + 0}')" 1
	WM_DIR=run OWN_RANK=1 OWN_SIZE=2 WM_RUN_ID=a LD_LIBRARY_PATH=$W/own \
		./prog.wm abort
	is "$kind: MPI_Abort gets its handle" $? 7
	is "$kind: and the trace is whole" "$("$dump" --summary \
		run/prog.a.wm/rank-000001.wmt.xz | jq -r .info.reason)" MPI_Abort
done

# what goes wrong is one line, and no twin
rm -f prog prog.wm
WM_MPICC=gcc WM_CC=$W/ownmpicc wmcc -static \
	-o prog "$progs/mpi/own/prog.c" -L"$W/own" -lown \
	2>err
is "a compiler without mpi.h: the program is built, no twin" \
	"$? $(ls prog prog.wm 2>/dev/null | tr '\n' ' ')" "0 prog "
like "and why" "$(cat err)" "^wmcc: warning: 'prog.wm' not made: .*mpi\.h"
is "in one line" "$(wc -l <err)" 1
WM_MPICC=/nowhere/mpicc WM_CC=$W/ownmpicc wmcc -static \
	-o prog "$progs/mpi/own/prog.c" \
	-L"$W/own" -lown 2>err
like "no such compiler" "$(cat err)" "not made: WM_MPICC=.* cannot run '/nowhere/mpicc'"
WM_MPICC=$W/ownmpicc WM_CC=gcc wmcc -o prog -xc - 2>err <<<'int main(){}'
is "a program without MPI does not mind" "$(cat err; ls prog.wm)" prog.wm

# refused KIND MPICC CC MPI [OPTION]: the header of another MPI than the program's
refused() {
	if ! command -v "$2" >/dev/null || ! command -v "$3" >/dev/null; then
		skip "$1: another MPI" "an MPI is missing"
		return
	fi
	rm -f prog prog.wm
	WM_MPICC=$2 WM_CC=$3 wmcc -o prog "$progs/mpi/own/prog.c" ${5:+"$5"} \
		2>err
	is "$1: another MPI: no twin" \
		"$? $(ls prog prog.wm 2>/dev/null | tr '\n' ' ')" "0 prog "
	like "$1: another MPI: why" "$(grep wmcc err)" "^wmcc: warning: 'prog\.wm' not made: WM_MPICC=.* cannot compile the MPI shim: .*this mpi\.h is of another MPI: the program has $4"
}
mpich=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null)/bin/mpicc
ompi=$("$SRC/scripts/setup" --print-prefix openmpi 2>/dev/null)/bin/mpicc
refused "dynamic MPICH" mpicc.openmpi mpicc.mpich "the ABI of MPICH"
refused "dynamic Open MPI" mpicc.mpich mpicc.openmpi "Open MPI"
refused "static MPICH" mpicc.openmpi "$mpich" "the ABI of MPICH" -static
refused "static Open MPI" mpicc.mpich "$ompi" "Open MPI" -static

# known ones by their own headers
for m in "$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null)/bin/mpicc" \
		mpicc.mpich mpicc.openmpi; do
	command -v "$m" >/dev/null || continue
	flags=() run=(mpiexec.${m##*.} -n 2)
	case $m in
	/*) flags=(-static) run=("${m%/mpicc}/mpiexec" -n 2) ;;
	*openmpi) run+=(--oversubscribe) ;;
	esac
	ok "${m##*/}: builds" env WM_MPICC="$m" WM_CC="$m" wmcc \
		-o prog "$progs/mpi/own/prog.c" \
		"${flags[@]}"
	rm -rf run && mkdir run
	WM_DIR=run timeout 100 "${run[@]}" ./prog.wm >out 2>&1
	is "${m##*/}: two ranks" "$(for f in run/*.wm/rank-*; do
		"$dump" --summary "$f" | jq -r '"\(.info.rank)/\(.info.ranks)"'
	done | tr '\n' ' ')" "0/2 1/2 "
done
done_testing
