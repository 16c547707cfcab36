# SPDX-License-Identifier: Apache-2.0
# WM_ACCESS_RANKS: loads and stores of some ranks alone, memory of all; ranks that
# the launcher tells, and ranks that only MPI does.
. "$(dirname "$0")/../lib.sh" access-lib wmcc-lib mpi-lib

# stores RANK BYTES: of the last run
stores() {
	# of two that count as rank 0 one has a name with a number
	"$dump" run/*/rank-00000"$1"*.wmt.xz | grep -c " w0 [0-9a-f]* $2 "
}

# ---- the launcher tells ----
ok "compiles" gcc -O2 -g -fsanitize=thread $(wm-config --cflags) -c -o w.o \
	"$progs/access/wanted.c"
ok "links" access_link static gcc wanted w.o
for list in none:0,1,2,3 0:0 1,3:1,3 1-2:1,2 9:; do
	said=
	rm -rf run
	for r in 0 1 2 3; do
		env PMI_RANK=$r PMI_SIZE=4 WM_RUN_ID=one WM_DIR=run \
			WM_ACCESS_RANKS="${list%:*}" \
			timeout 100 ./wanted >out 2>>err
		is "$list, rank $r: ends" $? 0
		[ "$(stores $r 2)" = 0 ] || said=$said,$r
	done
	is "$list: who has stores" "${said#,}" "${list#*:}"
	ok "$list: memory of all" [ "$(wm-analyze -q --json run/*.wm \
		2>/dev/null | jq .events.malloc)" -ge 4 ]
done
like "a list that is none is said" "$(cat err)" "WM_ACCESS_RANKS"

# ---- MPI tells ----
# mpi WHAT COMPILER OPTION WANTED-OF-0 LAUNCHER...
mpi() {
	local what=$1 cc=$2 option=$3 only0=$4 list
	shift 4
	rm -f ranks ranks.wm*
	ok "$what: builds" env WM_CC="$cc" wmcc -O1 -g $option ranks.c -o ranks
	# LIST, and stores of rank 0 before and behind MPI_Init, and of rank 1
	for list in "0 1000 1000 $only0 0" "1 0 0 $((1000 - only0)) 1000" \
		"0-1 1000 1000 1000 1000"; do
		rm -rf run
		WM_DIR=run WM_ACCESS_RANKS=${list%% *} timeout 100 "$@" \
			./ranks.wma >out 2>&1
		is "$what, ${list%% *}: runs" $? 0
		is "$what, ${list%% *}: whose stores" "$(stores 0 1) $(stores \
			0 2) $(stores 1 1) $(stores 1 2)" "${list#* }"
	done
}
export WM_ACCESS_CACHE=$W/cache WMCC_ACCESS=1
bring access/ranks.c
if bin=$(mpich_prefix); then
	mpi "MPICH" "$bin/mpicc" -static 0 "$bin/mpiexec" -n 2
else
	skip "MPICH" "no static MPICH"
fi
if command -v mpicc.openmpi >/dev/null; then
	# both count as rank 0 until MPI_Init
	mpi "Open MPI" mpicc.openmpi "" 1000 mpirun.openmpi -n 2 \
		env OMPI_COMM_WORLD_RANK=0
else
	skip "Open MPI" "package libopenmpi-dev is missing"
fi
done_testing
