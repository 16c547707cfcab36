# SPDX-License-Identifier: Apache-2.0
# Programs of several languages, threads, OpenMP, archives, and programs with
# a liblzma of their own.
. "$(dirname "$0")/../lib.sh" wmcc-lib g++ gfortran
export WM_CC=gcc WM_CXX=g++ WM_FC=gfortran

# WHAT WRAPPER COMPILER FLAGS...
check() {
	local what=$1 want
	alike "$1" "$3" "$2" "${@:4}" || return
	want=$(./plain 2>&1; echo "status $?")
	mkdir run
	is "$what: the twin does the same" \
		"$(WM_DIR=run ./app.wm 2>&1; echo "status $?")" "$want"
	rm -rf run
	ok "$what: twin traces" traced ./app.wm
}

bring link/languages/part.cc link/languages/main.f90 \
	link/languages/sub.f90 link/languages/main.cc
g++ -O1 -c part.cc main.cc
gfortran -O1 -c main.f90 -o mainf.o
gfortran -O1 -c sub.f90
for flags in "" -static "-static -flto"; do
	check "gfortran with C++ $flags" wmf90 gfortran $flags mainf.o part.o \
		-lstdc++
	check "g++ with Fortran $flags" wmcxx g++ $flags main.o sub.o \
		-lgfortran -lquadmath
done

export OMP_NUM_THREADS=4
for flags in "" -static; do
	check "OpenMP in C $flags" wmcc gcc -O1 -fopenmp $flags "$progs/link/omp.c"
done
check "OpenMP in Fortran" wmf90 gfortran -O1 -fopenmp "$progs/link/omp.f90"
# Static gfortran with OpenMP crashes at its end without us: a weak reference
# of libgfortran's is NULL.  The cure is the user's to give.
check "OpenMP in Fortran -static" wmf90 gfortran -O1 -fopenmp -static \
	-Wl,-u,pthread_mutex_destroy "$progs/link/omp.f90"
if have clang clang "OpenMP with clang"; then
	WM_CC=clang
	check "OpenMP with clang" wmcc clang -O1 -fopenmp "$progs/link/omp.c"
	WM_CC=gcc
fi

for flags in -pthread "-pthread -static"; do
	check "C++ threads $flags" wmcxx g++ -O1 $flags "$progs/link/threads.cc"
done

# an archive between program and libc: its mallocs are the twin's, too
cat >arch.c <<'E2'
#include <stdlib.h>
void *give(void) { return malloc(123); }
E2
cat >uses.c <<'E2'
#include <stdlib.h>
void *give(void);
int main(void) { free(give()); return 0; }
E2
gcc -O1 -fno-builtin -c arch.c uses.c && ar rc libarch.a arch.o
check "an archive" wmcc gcc -static uses.o -L. -larch
like "an archive's malloc is wrapped" \
	"$(objdump -d --no-show-raw-insn app.wm | sed -n '/<give>:/,/ret/p')" \
	'__wrap_malloc'

# a program with its own liblzma, statically
printf '#include <lzma.h>\n#include <stdio.h>\nint main(void) { printf("%%u\\n", lzma_crc32((void *)"x", 1, 0)); return 0; }\n' >lzma.c
check "a program with liblzma" wmcc gcc -static lzma.c -llzma
is "nothing is left over" "$(leftovers)" ""
done_testing
