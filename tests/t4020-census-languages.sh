# SPDX-License-Identifier: Apache-2.0
# Fortran modules, SAVE, COMMON, BLOCK DATA, EQUIVALENCE, threadprivate; C++
# members, inline variables, statics; symbols that overlap.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/census-lib.sh"
need_tools

cat >f.f90 <<'END'
module fields
  implicit none
  real(8) :: grid(1000,20)
  integer, save :: counts(37) = 5
  real(8), allocatable :: dyn(:)
  integer, save :: tp(13)
  !$omp threadprivate(tp)
end module
subroutine work(n, r)
  use fields
  implicit none
  integer n
  real(8) r
  real(8), save :: hist(123)
  real(8) :: big(40000)
  integer :: ia(10), ib(5)
  common /blk/ ia, ib
  real(4) :: e1(20), e2(10)
  equivalence (e1(5), e2(1))
  save e1
  real :: a0(7)
  common a0
  hist(mod(n,123)+1) = r
  big = r
  ia = n
  ib = n
  e1 = 1
  a0 = 1
  tp(1) = n
  grid = r + big(n)
  r = sum(hist)+sum(grid)+sum(ia)+e2(1)+tp(1)+counts(1)
end subroutine
program main
  use fields
  implicit none
  real(8) r
  integer :: q(10), q2(5)
  common /blk/ q, q2
  integer z(9)
  common /init/ z
  r = 1.d0
  call work(3, r)
  print *, r, q(1), z(2)
end program
block data
 common /init/ z
 integer z(9)
 data z /9*4/
end block data
END

# LINKER FLAGS...
check_fortran() {
	local what="gfortran $*" bss=.bss
	[ "$1" = mold ] && bss=.common
	rm -f app
	if ! gfortran -g -O1 -fopenmp -c f.f90 2>cc.err || ! gfortran -fopenmp \
		-fuse-ld="$1" "${@:2}" f.o -o app -Wl,-Map=app.map 2>cc.err; then
		skip "$what" "$(grep -m1 . cc.err)"
		return
	fi
	ok "$what: embed" embed app app.map
	ok "$what: sections" sections_match app
	ok "$what: rows add up" rows_add_up app
	is "$what: module array" "$(row app __fields_MOD_grid)" \
		".bss 160000 f.o f.f90:3 -"
	is "$what: initialised module array" "$(row app __fields_MOD_counts)" \
		".data 148 f.o f.f90:4 -"
	like "$what: allocatable" "$(row app __fields_MOD_dyn)" \
		'^\.bss [0-9]+ f\.o f\.f90:5 -$'
	is "$what: threadprivate" "$(row app __fields_MOD_tp)" \
		".tbss 52 f.o f.f90:6 -"
	like "$what: SAVE" "$(row app "$(nm app |
		sed -n 's/.* b \(hist\.[0-9]*\)$/\1/p')")" \
		'^\.bss 984 f\.o f\.f90:14 -$'
	is "$what: COMMON" "$(row app blk_)" "$bss 60 f.o f.f90:17 common"
	is "$what: blank COMMON" "$(row app __BLNK__)" \
		"$bss 28 f.o f.f90:22 common"
	is "$what: BLOCK DATA" "$(row app init_)" ".data 36 f.o f.f90:46 -"
	like "$what: EQUIVALENCE" "$(census-dump app.wm rows |
		grep -P '\tequiv\.' | cut -f 1,4,7 | tr '\t' ' ')" \
		'^\.bss 80 (18|19)$'
}

if command -v gfortran >/dev/null; then
	for ld in bfd gold lld mold; do
		check_fortran $ld -static
	done
	check_fortran bfd
	check_fortran bfd -static-pie
else
	skip "Fortran" "gfortran is not installed"
fi

cat >c.cc <<'END'
#include <string>
#include <cstdio>
namespace deep { namespace er {
struct table {
	static double values[11];
	static inline int counters[13];
};
double table::values[11] = { 1 };
static volatile short quiet[21];
} }
inline long everywhere[17];
template <int N> struct made { static char bytes[N]; };
template <int N> char made<N>::bytes[N];
static std::string word("x");
thread_local int mine[19];
static int once(int n)
{
	static std::string kept("a longer text than fits");
	static int calls[23];
	return calls[n % 23]++ + (int)kept.size();
}
int main(int argc, char **)
{
	return std::printf("%d\n", once(argc) + deep::er::table::counters[argc] +
		(int)deep::er::table::values[argc] + deep::er::quiet[argc] +
		(int)everywhere[argc] + made<301>::bytes[argc] +
		(int)word.size() + mine[argc]) < 0;
}
END
for cxx in "g++ -static" "g++ -pie -fPIE" "clang++ -static" \
	"g++ -static -fuse-ld=lld" "g++ -static -fuse-ld=mold"; do
	what=$cxx
	rm -f app
	if ! $cxx -g -O1 -std=c++17 c.cc -o app -Wl,-Map=app.map 2>cc.err; then
		skip "$what" "$(grep -m1 . cc.err)"
		continue
	fi
	ok "$what: embed" embed app app.map
	ok "$what: sections" sections_match app
	ok "$what: rows add up" rows_add_up app
	line() { row app "$1" | cut -d' ' -f 1,2,4,5; }
	like "$what: static member" "$(line _ZN4deep2er5table6valuesE)" \
		'^\.data 88 c\.cc:[58] -$'
	is "$what: inline member" "$(line _ZN4deep2er5table8countersE)" \
		".bss 52 c.cc:6 -"
	is "$what: static in a namespace" "$(line _ZN4deep2erL5quietE)" \
		".bss 42 c.cc:9 -"
	is "$what: inline variable" "$(line everywhere)" ".bss 136 c.cc:11 -"
	like "$what: member of a template" "$(line _ZN4madeILi301EE5bytesE)" \
		'^\.bss 301 c\.cc:1[23] -$'
	is "$what: thread_local" "$(line mine)" ".tbss 76 c.cc:15 -"
	is "$what: static in a function" "$(line _ZZL4onceiE5calls)" \
		".bss 92 c.cc:19 -"
done

# Symbols as assembler can make them.
cat >odd.s <<'END'
	.bss
	.globl _start, twice, _twice, big, small, beyond, nothing, after
	.macro object name bytes
	.type \name, @object
	.size \name, \bytes
	.endm
	.zero 8
twice: _twice:
	object twice 16
	object _twice 16
	.zero 16
big:	object big 64
small:	object small 8
	.zero 8
within:	object within 8
	.zero 24
across:	object across 64
	.zero 32
nothing: object nothing 0
	.zero 32
	.zero 40
after:	object after 4
	.zero 4
beyond:	object beyond 4096
	.zero 12
	.text
_start: hlt
	.section .note.GNU-stack
END
gcc -nostdlib -static odd.s -o odd -Wl,-Map=odd.map
embed odd odd.map
like "an object without a name" "$(row odd across)" ' \(temporary object\) '
gcc -c odd.s
gcc -nostdlib -static odd.o -o odd -Wl,-Map=odd.map
ok "odd symbols: embed" embed odd odd.map
ok "odd symbols: sections" sections_match odd
ok "odd symbols: rows add up" rows_add_up odd
odd() { row odd "$1" | cut -d' ' -f2; }
is "two names, one row" "$(odd twice) $(odd _twice)" "16 "
is "the larger of two that start together" "$(odd big) $(odd small)" "64 "
is "what lies within another is not counted twice" "$(odd within)" ""
is "what reaches beyond another has the rest" "$(odd across)" 32
is "no size, no row" "$(odd nothing)" ""
is "cut at the end of the section" "$(odd after) $(odd beyond)" "4 12"
is "padding is one row per object" "$(census-dump odd.wm rows |
	awk -F'\t' '$1 == ".bss" && $2 == "-" { print $4, $5 }' |
	sed 's|/.*/||')" "48 odd.o"
done_testing
