# SPDX-License-Identifier: Apache-2.0
# Programs of several languages, threads, OpenMP, archives, and programs with
# a liblzma of their own.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/wmcc-lib.sh"
export WM_CC=gcc WM_CXX=g++ WM_FC=gfortran
command -v g++ >/dev/null || skip_all "package g++ is not installed"
command -v gfortran >/dev/null || skip_all "package gfortran is not installed"

# WHAT WRAPPER COMPILER FLAGS...
check() {
	local what=$1 wrapper=$2 cc=$3 want
	shift 3
	rm -f plain app app.wm
	if ! "$cc" "$@" -o plain >plain.out 2>&1; then
		skip "$what" "$cc can not: $(tail -1 plain.out)"
		return
	fi
	"$wrapper" "$@" -o app >app.out 2>&1
	is "$what: status" $? 0
	ok "$what: same program" same plain app
	want=$(./plain 2>&1; echo "status $?")
	mkdir run
	is "$what: the twin does the same" \
		"$(WM_DIR=run ./app.wm 2>&1; echo "status $?")" "$want"
	rm -rf run
	ok "$what: twin traces" traced ./app.wm
}

cat >part.cc <<'E2'
#include <iostream>
#include <stdexcept>
#include <vector>
extern "C" int part_(int *n)
{
	std::vector<int> v(*n, 1);
	try {
		return v.at(*n + 1);
	} catch (const std::out_of_range &) {
		std::cout << "caught" << std::endl;
		return (int)v.size();
	}
}
E2
cat >main.f90 <<'E2'
program main
	integer, external :: part
	real, allocatable :: a(:)
	allocate(a(100))
	a = 1
	write (*, *) 'fortran', sum(a), part(10)
end program
E2
cat >sub.f90 <<'E2'
subroutine work(n) bind(c)
	use iso_c_binding
	integer(c_int), value :: n
	real, allocatable :: a(:)
	allocate(a(n))
	a = 2
	write (*, *) 'sum', sum(a)
end subroutine
E2
cat >main.cc <<'E2'
#include <string>
extern "C" void work(int);
int main()
{
	std::string s(100, 'x');
	work((int)s.size());
}
E2
g++ -O1 -c part.cc main.cc
gfortran -O1 -c main.f90 -o mainf.o
gfortran -O1 -c sub.f90
for flags in "" -static "-static -flto"; do
	check "gfortran with C++ $flags" wmf90 gfortran $flags mainf.o part.o \
		-lstdc++
	check "g++ with Fortran $flags" wmcxx g++ $flags main.o sub.o \
		-lgfortran -lquadmath
done

cat >omp.c <<'E2'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	int sum = 0;
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 1000; i++) {
		void *volatile p = malloc((size_t)i);

		free(p);
		sum += i;
	}
	printf("%d\n", sum);
	return 0;
}
E2
cat >omp.f90 <<'E2'
program omp
	integer :: i, total
	real, allocatable :: a(:)
	total = 0
	!$omp parallel do private(a) reduction(+:total)
	do i = 1, 100
		allocate(a(i))
		a = 1
		total = total + size(a)
		deallocate(a)
	end do
	print *, total
end program
E2
export OMP_NUM_THREADS=4
for flags in "" -static; do
	check "OpenMP in C $flags" wmcc gcc -O1 -fopenmp $flags omp.c
done
check "OpenMP in Fortran" wmf90 gfortran -O1 -fopenmp omp.f90
# Static gfortran with OpenMP crashes at its end without us: a weak reference
# of libgfortran's is NULL.  The cure is the user's to give.
check "OpenMP in Fortran -static" wmf90 gfortran -O1 -fopenmp -static \
	-Wl,-u,pthread_mutex_destroy omp.f90
if have clang clang "OpenMP with clang"; then
	WM_CC=clang
	check "OpenMP with clang" wmcc clang -O1 -fopenmp omp.c
	WM_CC=gcc
fi

cat >threads.cc <<'E2'
#include <iostream>
#include <thread>
#include <vector>
int main()
{
	std::vector<std::thread> t;
	for (int i = 0; i < 4; i++)
		t.emplace_back([] { delete new int[100]; });
	for (auto &x : t)
		x.join();
	std::cout << "joined" << std::endl;
}
E2
sed -i 's/delete new/delete[] new/' threads.cc
for flags in -pthread "-pthread -static"; do
	check "C++ threads $flags" wmcxx g++ -O1 $flags threads.cc
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
