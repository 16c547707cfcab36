# SPDX-License-Identifier: Apache-2.0
# Buffers of MPI are block accesses of the hooked objects that call it: C and
# Fortran (mpif.h, mpi, mpi_f08), static and shared MPICH, Open MPI; the program says what each call
# reads and writes, and nothing else may be there.
. "$(dirname "$0")/../lib.sh" wmcc-lib
export WM_ACCESS_CACHE=$W/cache WMCC_ACCESS=1
dump=$BUILD/test/tools/access-dump
bring access/mpi.c
bring access/mpi.f90
sed 's/use mpi$/use mpi_f08/; s/, q, s(MPI_STATUS_SIZE), column/\n  type(MPI_Request) :: q\n  type(MPI_Status) :: s\n  type(MPI_Datatype) :: column/
	s/integer :: m$/type(MPI_Message) :: m/
	s/integer :: often/type(MPI_Request) :: often/
	s/integer :: line$/type(MPI_Comm) :: line/; s/integer :: kinds/type(MPI_Datatype) :: kinds/
	s/integer :: win/type(MPI_Win) :: win/
	s/integer, parameter :: ints/type(MPI_Datatype), parameter :: ints/
	s/integer, parameter :: world/type(MPI_Comm), parameter :: world/' \
	mpi.f90 >mpi_f08.f90
# MPICH gets the section itself, and nothing is told of it
sed 's/^  call MPI_Type_vector/  call MPI_Sendrecv(a(1:20:2), 10, MPI_INTEGER, \&\
    other, 9, b, 10, MPI_INTEGER, other, 9, world, s, e)\
  call say("w", c_loc(b), 40)\
&/' mpi_f08.f90 >section.f90
sed 's/^  use mpi$//; s/implicit none/&\n  include "mpif.h"/' mpi.f90 >mpif.f90
# and MPICH alone has collectives that are started again
for f in section mpi; do
	sed '0,/^  call MPI_Type_vector/s//  call MPI_Allreduce_init(a, b, 13, MPI_INTEGER, MPI_SUM, world, \&\
    MPI_INFO_NULL, q, e)\
  call MPI_Start(q, e)\
  call say("r", c_loc(a), 52)\
  call say("w", c_loc(b), 52)\
  call MPI_Wait(q, MPI_STATUS_IGNORE, e)\
  call MPI_Request_free(q, e)\
&/' $f.f90 >again_$f.f90
done
# and in mpi_f08 counts of 64 bits
sed -i '0,/^  call MPI_Type_vector/s//  call MPI_Sendrecv(a, 14_MPI_COUNT_KIND, MPI_INTEGER, other, 9, \&\
    b, 20_MPI_COUNT_KIND, MPI_INTEGER, other, 9, world, s, e)\
  call say("r", c_loc(a), 56)\
  call say("w", c_loc(b), 56)\
  call MPI_Allgatherv(a, int(3, MPI_COUNT_KIND), MPI_INTEGER, b, \&\
    [integer(MPI_COUNT_KIND) :: 3, 3], [integer(MPI_ADDRESS_KIND) :: 2, 9], \&\
    MPI_INTEGER, world, e)\
  call say("r", c_loc(a), 12)\
  call say("w", c_loc(b(3)), 12)\
  call say("w", c_loc(b(10)), 12)\
  call MPI_Recv_init(b, 15_MPI_COUNT_KIND, MPI_INTEGER, MPI_PROC_NULL, 9, \&\
    world, q, e)\
  call MPI_Request_free(q, e)\
  call MPI_Send_init(a, 15_MPI_COUNT_KIND, MPI_INTEGER, other, 9, world, q, e)\
  call MPI_Start(q, e)\
  call say("r", c_loc(a), 60)\
  call MPI_Recv(b, 15, MPI_INTEGER, other, 9, world, MPI_STATUS_IGNORE, e)\
  call say("w", c_loc(b), 60)\
  call MPI_Wait(q, MPI_STATUS_IGNORE, e)\
  call MPI_Request_free(q, e)\
&/' again_section.f90
# all calls in their form with counts of 64 bits, which Open MPI 4 has not
long=$(sed -n '/define WM_MPI_COUNTED/,/^$/ s/^\tX(\([A-Za-z_]*\),.*/\1/p' \
	"$SRC/include/wm/mpi_list.h" | paste -sd '|' | sed 's/|/\\|/g')
{
	echo '#define LONG_COUNTS'
	sed "s/\bMPI_\($long\)(/MPI_\1_c(/" mpi.c
} >long.c
ok "calls with long counts ($(grep -c 'MPI_[A-Za-z_]*_c(' long.c))" \
	[ "$(grep -c 'MPI_[A-Za-z_]*_c(' long.c)" -gt 70 ]

# check LABEL PROGRAM LAUNCHER...: two ranks
check() {
	local what=$1 p=$2 r
	shift 2
	rm -rf run said.* plain.*
	"$@" -n 2 "./$p" >out 2>&1
	is "$what: the plain program" "$?" 0
	rm -f said.*
	WM_DIR=run timeout 100 "$@" -n 2 "./$p.wma" >out 2>&1
	is "$what: runs" "$?" 0
	[ "$(grep -c windows out)" = 2 ] ||
		skip "$what: windows" "its MPI can make none here"
	for r in 0 1; do
		"$dump" run/*/rank-00000$r.wmt.xz >all || return
		awk '$3 ~ /3$/ && $3 !~ /m/ {
			print substr($3, 1, 1), $4, $5}' all >got
		tr A-F a-f <said.$r >want
		ok "$what: what rank $r says ($(wc -l <want))" \
			[ "$(wc -l <want)" -ge 15 ]
		ok "$what: rank $r, each buffer once" diff want got
	done
}

# build COMPILER-VARIABLE COMPILER WRAPPER OUT WORDS...
build() {
	local out=$4
	rm -f part.o "$out" "$out".wm*
	env "$1=$2" "$3" -g -O1 "${@:5}" -c -o part.o "${source[@]}" &&
		env "$1=$2" "$3" "${@:5}" -o "$out" part.o 2>link.err &&
		[ -x "$out.wma" ]
}

if mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null); then
	source=(mpi.c)
	ok "static MPICH, C: builds" build WM_CC "$mpi/bin/mpicc" wmcc c -static
	check "static MPICH, C" c "$mpi/bin/mpiexec"
	# who allocates is as without: no function of ours between
	WM_DIR=run2 "$mpi/bin/mpiexec" -n 2 ./c.wm >/dev/null 2>&1
	is "static MPICH, C: allocation sites are those of c.wm" \
		"$(wm-analyze -q --json run/*.wm 2>/dev/null |
		jq -c '[.functions[].name] | sort')" \
		"$(wm-analyze -q --json run2/*.wm 2>/dev/null |
		jq -c '[.functions[].name] | sort')"
	source=(long.c)
	ok "static MPICH, long counts: builds" build WM_CC "$mpi/bin/mpicc" \
		wmcc l -static
	check "static MPICH, long counts" l "$mpi/bin/mpiexec"
	for f in mpi mpif mpi_f08 again_section again_mpi; do
		source=($f.f90)
		ok "static MPICH, $f: builds" build WM_FC "$mpi/bin/mpif90" \
			wmf90 f -static
		check "static MPICH, $f" f "$mpi/bin/mpiexec"
	done
else
	skip "static MPICH" "it is missing: scripts/setup --mpi"
fi
if mpi=$("$SRC/scripts/setup" --print-prefix openmpi 2>/dev/null); then
	source=(mpi.c)
	ok "static Open MPI, C: builds" build WM_CC "$mpi/bin/mpicc" wmcc c \
		-static
	check "static Open MPI, C" c "$mpi/bin/mpirun" --allow-run-as-root \
		--oversubscribe
fi
for family in mpich openmpi; do
	command -v mpicc.$family >/dev/null ||
		{ skip "$family" "it is not installed"; continue; }
	run=(mpiexec.mpich)
	[ $family = mpich ] ||
		run=(mpirun.openmpi --allow-run-as-root --oversubscribe)
	source=(mpi.c)
	ok "$family, C: builds" build WM_CC mpicc.$family wmcc c
	PARTITIONS=1 check "$family, C" c "${run[@]}"
	source=(long.c)
	if [ $family = mpich ]; then
		ok "mpich, long counts: builds" build WM_CC mpicc.mpich wmcc l
		PARTITIONS=1 check "mpich, long counts" l "${run[@]}"
	fi
	for f in mpi mpif mpi_f08; do
		source=($f.f90)
		ok "$family, $f: builds" build WM_FC mpif90.$family wmf90 f
		check "$family, $f" f "${run[@]}"
	done
done

# ---- two threads, and handles that go from one to the other ----
bring access/mpi_threads.c
for family in mpich openmpi; do
	command -v mpicc.$family >/dev/null ||
		{ skip "threads of $family" "it is not installed"; continue; }
	run=(mpiexec.mpich)
	[ $family = mpich ] ||
		run=(mpirun.openmpi --allow-run-as-root --oversubscribe)
	source=(mpi_threads.c)
	ok "$family, threads: builds" build WM_CC mpicc.$family wmcc c -pthread
	rm -rf run
	WM_DIR=run timeout 100 "${run[@]}" -n 1 ./c.wma >out 2>&1
	"$dump" run/*/rank-000000.wmt.xz |
		awk '$3 == "r3" {n[$4]++} END {for (i in n) print n[i]}' >got
	is "$family, threads: each start is that of its own request" \
		"$(sort -u got | tr '\n' ' ')$(wc -l <got)" "20000 2"
done

# ---- made in Fortran, started and freed in C, where handles are others ----
cat >made.f90 <<'END'
program made
  use mpi
  implicit none
  interface
    subroutine use_it(request) bind(c)
      integer :: request
    end subroutine
  end interface
  integer, save :: b(16)
  integer :: q, e
  call MPI_Init(e)
  call MPI_Recv_init(b, 16, MPI_INTEGER, 0, 1, MPI_COMM_SELF, q, e)
  call use_it(q)
  call MPI_Finalize(e)
end program
END
cat >use.c <<'END'
#include <mpi.h>
void use_it(MPI_Fint *number)
{
	static int b[16];
	MPI_Request q = MPI_Request_f2c(*number);

	for (int i = 0; i < 3; i++) {
		MPI_Start(&q);
		MPI_Send(b, 8 + i, MPI_INT, 0, 1, MPI_COMM_SELF);
		MPI_Wait(&q, MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&q);
}
END
for family in mpich openmpi; do
	command -v mpif90.$family >/dev/null ||
		{ skip "languages of $family" "it is not installed"; continue; }
	run=(mpiexec.mpich)
	[ $family = mpich ] ||
		run=(mpirun.openmpi --allow-run-as-root --oversubscribe)
	WM_CC=mpicc.$family wmcc -g -c use.c
	source=(made.f90)
	ok "$family, two languages: builds" build WM_FC mpif90.$family wmf90 \
		made use.o
	rm -rf run
	WM_DIR=run timeout 100 "${run[@]}" -n 1 ./made.wma >out 2>&1
	"$dump" run/*/rank-000000.wmt.xz |
		awk '$3 ~ /3$/ {print substr($3, 1, 1), $5}' >got
	is "$family, two languages: what was made in Fortran is started in C" \
		"$(paste -sd ' ' got)" "w 64 r 32 w 64 r 36 w 64 r 40"
done

# ---- errors are the program's own: same handlers, in the same order ----
# wrong LABEL WMCC-VARIABLE COMPILER WRAPPER SOURCE LAUNCHER...
wrong() {
	local what=$1
	source=("$5")
	ok "$what: builds" build "$2" "$3" "$4" wrong
	timeout 60 "${@:6}" -n 1 ./wrong >want 2>&1
	WM_DIR=wrong.d timeout 60 "${@:6}" -n 1 ./wrong.wma >got 2>&1
	ok "$what: its errors are as without" diff want got
	ok "$what: there are errors" [ "$(wc -l <want)" -gt 10 ]
}
bring access/mpi_wrong.c
bring access/mpi_wrong.f90
sed 's/use mpi$/use mpi_f08/; s/integer :: bad/type(MPI_Datatype) :: bad/
	s/integer :: no/type(MPI_Comm) :: no/' mpi_wrong.f90 >wrong_f08.f90
for family in mpich openmpi; do
	command -v mpicc.$family >/dev/null ||
		{ skip "errors of $family" "it is not installed"; continue; }
	run=(mpiexec.mpich)
	[ $family = mpich ] ||
		run=(mpirun.openmpi --allow-run-as-root --oversubscribe)
	wrong "$family, C, wrong arguments" WM_CC mpicc.$family wmcc \
		mpi_wrong.c "${run[@]}"
	for f in mpi_wrong wrong_f08; do
		wrong "$family, $f" WM_FC mpif90.$family wmf90 $f.f90 \
			"${run[@]}"
	done
done

# ---- MPI is not asked where the program may not call it ----
cat >outside.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
	int x = 1;

	if (argc > 1) {
		MPI_Init(&argc, &argv);
		MPI_Finalize();
	}
	if (argc > 2)
		return MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	return MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
}
END
if command -v mpicc.mpich >/dev/null; then
	source=(outside.c)
	ok "mpich, outside: builds" build WM_CC mpicc.mpich wmcc outside
	for words in "" "after" "after send"; do
		timeout 60 ./outside $words >want 2>&1
		echo "$?" >>want
		WM_DIR=outside.d timeout 60 ./outside.wma $words >got 2>&1
		echo "$?" >>got
		ok "mpich: ${words:-before} is refused as without" diff want got
		ok "mpich: ${words:-before}: it is refused" grep -q MPI want
	done
else
	skip "calls outside of MPI" "mpich is not installed"
fi

# ---- without MPI, the names are the program's own ----
cat >own.c <<'END'
#include <stdio.h>
int MPI_Send(int *p) { return *p; }
int MPI_Recv(int *p);
int main(void) { int x = 3; return MPI_Send(&x) + MPI_Recv(&x) - 7; }
END
echo 'int MPI_Recv(int *p) { return *p + 1; }' >own2.c
WM_CC=gcc wmcc -O0 -static own.c own2.c -o own 2>/dev/null
ok "a program with such names of its own links" test -x own.wma
ok "and is as ever" env WM_DIR=own ./own.wma
done_testing
