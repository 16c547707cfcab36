# SPDX-License-Identifier: Apache-2.0
# Makefiles that name MPI's compilers, or look at the compiler's name: names of
# ours that they know, and the line that helps when none was given.
. "$(dirname "$0")/../lib.sh" wmcc-lib mpicc
helps() { grep -c "^wm.*: warning: '.*' does not know MPI:" "$1"; }
cat >prog.c <<'END'
#include "inner.h"
int main(int n, char **v) { MPI_Init(&n, &v); MPI_Finalize(); return 0; }
END
echo '#include <mpi.h>' >inner.h
cp prog.c prog.cc
printf 'program p\n  USE, intrinsic :: iso_c_binding\n  Use mpi\nend program\n' >prog.f90
printf "      program p\n      include 'mpif.h'\n      end\n" >prog.f
cat >Makefile <<'END'
CC = mpicc
CXX = mpicxx
FC = mpif90
prog: prog.c
	$(CC) -O1 -o prog prog.c
step: prog.c
	$(CC) -O1 -MD -MF prog.d -c prog.c -o prog.o
	$(CC) prog.o -o step
END
if echo '#include <mpi.h>' | cc -E - >/dev/null 2>&1; then
	skip_all "the plain compiler finds mpi.h"
fi

# the plain compiler is taken: one line more, nothing else
for t in prog step; do
	make -s CC=cc $t >ref.out 2>&1
	ref=$?
	ls -I out >ref.ls
	make -s CC=wmcc $t >out 2>&1
	is "make CC=wmcc $t: status" $? $ref
	is "$t: one line" "$(helps out)" 1
	like "$t: that names the cure" "$(cat out)" \
		"^wmcc: warning: 'cc' does not know MPI: .*'WM_CC=mpicc make ...', or use 'wm-mpicc' instead of 'wmcc'"
	is "$t: the rest is the compiler's" "$(grep -v '^wmcc:' out)" \
		"$(cat ref.out)"
	is "$t: no file is left" "$(ls -I out)" "$(answer cat ref.ls)"
done
wmcxx prog.cc -o prog 2>out
is "wmcxx: one line" "$(helps out) $(grep -c WM_CXX=mpi out)" "1 1"
WM_CC=clang wmcc prog.c -o prog 2>out
is "WM_CC is set: no line" "$(helps out)" 0
WM_CC='' wmcc -c prog.c 2>out
is "WM_CC is empty: one line" "$(helps out)" 1
echo 'int main(void) { return nothing; }' >bad.c
wmcc bad.c -o bad 2>out
is "another error: no line" "$(helps out)" 0
wmcc -I"$W" -DX prog.c -fsyntax-only 2>out
is "a check alone: one line" "$(helps out)" 1
cp prog.c conftest.c
wmcc conftest.c -o conftest 2>out
is "a probe: no line" "$(helps out)" 0
wmcc -x c - -o prog <prog.c 2>out
is "from standard input: no line" "$(helps out)" 0
mkdir none
for p in cc gcc c++ g++ gfortran as ld sh; do
	ln -s "$(command -v $p)" none/
done
PATH=$BUILD/bin:$W/none wmcc -c prog.c 2>out
is "no mpicc in PATH: no line" "$(helps out)" 0
if command -v clang >/dev/null; then
	ln -sf "$(command -v clang)" none/cc
	PATH=$W/none:$PATH wmcc -c prog.c 2>out
	is "clang: one line" "$(helps out)" 1
fi
if have gfortran gfortran Fortran; then
	ls -I out >ref.ls
	for f in prog.f90 prog.f; do
		wmf90 -c $f 2>out
		is "wmf90 $f: one line" "$(helps out)" 1
		like "wmf90 $f: the cure" "$(cat out)" \
			"'WM_FC=mpi(f90|fort) make ...', or use 'wm-mpi(f90|fort)' instead of 'wmf90'"
	done
	is "Fortran: no file is left" "$(ls -I out)" "$(answer cat ref.ls)"
	printf 'program p\ninteger :: i = "x"\nend program\n' >bad.f90
	wmf90 -c bad.f90 2>out
	is "Fortran, another error: no line" "$(helps out)" 0
	printf 'program p\nuse mpi\ninteger :: i = "x"\nend program\n' >bad.f90
	printf 'module mpi\nend module\n' >mine.f90
	mkdir mods && gfortran -c -J mods mine.f90 -o mine.o
	wmf90 -c bad.f90 -I mods 2>out
	is "Fortran, a module mpi is there: no line" "$(helps out)" 0
fi

# names of ours
for n in mpicc mpicxx mpic++ mpif77 mpif90 mpifort; do
	command -v $n >/dev/null || continue
	is "wm-$n is $n" "$(wm-$n -show)" "$($n -show)"
done
make -s CC=wm-mpicc prog >out 2>&1
is "make CC=wm-mpicc" "$? $(cat out)" "0 "
ok "its twin" traced ./prog.wm
rm prog
WM_CC=gcc wm-mpicc prog.c -o prog >out 2>&1
is "the name counts, not WM_CC" "$? $(cat out)" "0 "
PATH=$BUILD/bin:$W/none wm-mpif77 prog.f 2>out
is "no such compiler: status" $? 127
like "no such compiler: says so" "$(cat out)" "there is no compiler 'mpif77' in PATH"

# a script that looks at the name, as Nekbone's makenek
cat >by-name <<'END'
for c in -showme -show; do
	name=$($F77 $c 2>/dev/null | head -1 | awk '{print $1}')
	[ -z "$name" ] || break
done
case $F77/$name in
*gfortran*) echo "-fdefault-real-8" ;;
*) echo "unknown compiler"; exit 1 ;;
esac
END
for n in wmf90 wm-gfortran wm-mpif77; do
	command -v gfortran >/dev/null || break
	is "$n: known to makefiles that look at the name" \
		"$(F77=$n sh by-name)" "$(F77=gfortran sh by-name)"
done
done_testing
