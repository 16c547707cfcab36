# SPDX-License-Identifier: Apache-2.0
# run: rest
# Another profiling library in the same link sees each call as often as
# without us, and none of ours: in archives, objects and shared libraries, one
# alone and two in a chain, C and Fortran.
. "$(dirname "$0")/../lib.sh" python3

# check NAME COMPILER MPIEXEC SOURCE LINES TRACES LINK-ARGUMENT...
check() {
	local name=$1 cc=$2 run=$3 source=$4 lines=$5 wanted=$6
	shift 6
	rm -f prog prog.wm
	rm -rf run && mkdir run
	WM_CC=$cc WM_FC=$cc "$([ "${source##*.}" = c ] && echo wmcc ||
		echo wmf90)" -o prog "$source" "$@" 2>err
	is "$name: builds both" "$? $(ls prog prog.wm | tr '\n' ' ')$(
		grep wmcc: err)" "0 prog prog.wm "
	# no launcher has named the job: then we broadcast, too
	timeout 100 "$run" -n 2 env -u MPI_LOCALRANKID ./prog 2>&1 |
		grep ^tool | sort >plain
	WM_DIR=run timeout 100 "$run" -n 2 env -u MPI_LOCALRANKID ./prog.wm \
		2>&1 | grep ^tool | sort >traced
	is "$name: the tool has told of both ranks" "$(wc -l <plain)" "$lines"
	is "$name: and of the same calls" "$(cat traced)" "$(cat plain)"
	is "$name: traced" "$(for f in run/*.wm/rank-*; do
		"$dump" --summary "$f" | jq -r '"\(.info.rank)/\(.info.ranks)"
			+ (if .counts.MPI_ALLOC > 0 then " mpi" else "" end)'
	done | sort | tr '\n' ' ') $(ls run | wc -l)" "$wanted 1"
}
c="0/2 mpi 1/2 mpi "
f="0/2 1/2 "

if mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null); then
	cc=$mpi/bin/mpicc run=$mpi/bin/mpiexec
	"$cc" -c -DNAME='"one"' -o one.o "$progs/mpi/tool.c"
	"$cc" -c -DNAME='"both"' -DFORTRAN -o both.o "$progs/mpi/tool.c"
	"$cc" -c -DNAME='"two"' -o two.o -DHERE'(x)=SECOND_##x' \
		"$progs/mpi/tool.c"
	"$cc" -c -DNAME='"one"' -o chain.o -DNEXT'(x)=SECOND_##x' \
		"$progs/mpi/tool.c"
	ar rc libone.a one.o
	ar rc libboth.a both.o
	ar rc libchain.a chain.o two.o
	check "static, an object" "$cc" "$run" \
		"$progs/mpi/tool_user.c" 2 "$c" -static one.o
	check "static, an archive" "$cc" "$run" \
		"$progs/mpi/tool_user.c" 2 "$c" -static -L. -lone
	check "static, two in a chain" "$cc" "$run" \
		"$progs/mpi/tool_user.c" 4 "$c" -static -L. \
		-lchain
	check "static, Fortran" "$mpi/bin/mpifort" "$run" \
		"$progs/mpi/mpi.f90" 4 "$f" \
		-static -L. -lboth
else
	skip "static MPICH" "it is missing: scripts/setup --mpi"
fi
for m in mpich openmpi; do
	command -v mpicc.$m >/dev/null || {
		skip "dynamic $m" "package lib$m-dev is missing"
		continue
	}
	cc=mpicc.$m run=mpiexec.$m
	# MPICH's Fortran calls C's MPI_Finalize, which the tool sees as well
	n=$([ $m = mpich ] && echo 4 || echo 2)
	"$cc" -c -fPIC -DNAME='"one"' -o one.o "$progs/mpi/tool.c"
	"$cc" -c -fPIC -DNAME='"both"' -DFORTRAN -o both.o "$progs/mpi/tool.c"
	"$cc" -shared -fPIC -DNAME='"one"' -o libone.so "$progs/mpi/tool.c"
	"$cc" -shared -fPIC -DNAME='"both"' -DFORTRAN \
		-o libboth.so "$progs/mpi/tool.c"
	"$cc" -shared -fPIC -DNAME='"first"' -D_GNU_SOURCE -DLOADER \
		-o libfirst.so "$progs/mpi/tool.c"
	rpath=-Wl,-rpath,$W
	check "$m, an object" "$cc" "$run" "$progs/mpi/tool_user.c" 2 "$c" one.o
	check "$m, a library" "$cc" "$run" \
		"$progs/mpi/tool_user.c" 2 "$c" -L. -lone "$rpath"
	check "$m, two libraries in a chain" "$cc" "$run" \
		"$progs/mpi/tool_user.c" 4 "$c" -L. \
		-Wl,--no-as-needed -lfirst -lone "$rpath"
	check "$m, Fortran, a library" "mpifort.$m" "$run" \
		"$progs/mpi/mpi.f90" $n "$f" \
		-L. -lboth "$rpath"
	check "$m, Fortran, an object" "mpifort.$m" "$run" \
		"$progs/mpi/mpi.f90" $n \
		"$f" both.o
done
done_testing
