# SPDX-License-Identifier: Apache-2.0
# Fortran modules, SAVE, COMMON, BLOCK DATA, EQUIVALENCE, threadprivate; C++
# members, inline variables, statics; symbols that overlap.
. "$(dirname "$0")/../lib.sh" census-lib
need_tools

bring census/languages/f.f90

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
		".bss 160000 f.o f.f90:7 -"
	is "$what: initialised module array" "$(row app __fields_MOD_counts)" \
		".data 148 f.o f.f90:8 -"
	like "$what: allocatable" "$(row app __fields_MOD_dyn)" \
		'^\.bss [0-9]+ f\.o f\.f90:9 -$'
	is "$what: threadprivate" "$(row app __fields_MOD_tp)" \
		".tbss 52 f.o f.f90:10 -"
	like "$what: SAVE" "$(row app "$(nm app |
		sed -n 's/.* b \(hist\.[0-9]*\)$/\1/p')")" \
		'^\.bss 984 f\.o f\.f90:18 -$'
	is "$what: COMMON" "$(row app blk_)" "$bss 60 f.o f.f90:21 common"
	is "$what: blank COMMON" "$(row app __BLNK__)" \
		"$bss 28 f.o f.f90:26 common"
	is "$what: BLOCK DATA" "$(row app init_)" ".data 36 f.o f.f90:50 -"
	like "$what: EQUIVALENCE" "$(census-dump app.wm rows |
		grep -P '\tequiv\.' | cut -f 1,4,7 | tr '\t' ' ')" \
		'^\.bss 80 (22|23)$'
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

bring census/languages/c.cc
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
		'^\.data 88 c\.cc:(9|12) -$'
	is "$what: inline member" "$(line _ZN4deep2er5table8countersE)" \
		".bss 52 c.cc:10 -"
	is "$what: static in a namespace" "$(line _ZN4deep2erL5quietE)" \
		".bss 42 c.cc:13 -"
	is "$what: inline variable" "$(line everywhere)" ".bss 136 c.cc:15 -"
	like "$what: member of a template" "$(line _ZN4madeILi301EE5bytesE)" \
		'^\.bss 301 c\.cc:(16|17) -$'
	is "$what: thread_local" "$(line mine)" ".tbss 76 c.cc:19 -"
	is "$what: static in a function" "$(line _ZZL4onceiE5calls)" \
		".bss 92 c.cc:23 -"
done

# Symbols as assembler can make them.
bring census/odd.s
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
