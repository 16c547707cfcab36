# SPDX-License-Identifier: Apache-2.0
# Members and elements of static variables: the program says where each lies,
# and its text in the source; the debug information has to come to the same.
. "$(dirname "$0")/../lib.sh"
dump=$BUILD/test/tools/elements-dump

# dump_of PROGRAM: what elements-dump says of the questions in PROGRAM.ask
dump_of() {
	local id
	id=$(readelf -n "$1" | sed -n 's/.*Build ID: //p')
	timeout 60 "$dump" "$PWD/$1" "$id" <"$1.ask"
}

# same NAME COMPILER SOURCE FLAGS...
same() {
	local name=$1 cc=$2 source=$3 want
	shift 3
	if ! command -v "$cc" >/dev/null; then
		skip "$name" "$cc is missing"
		return
	fi
	ok "$name compiles" "$cc" -Wl,--build-id "$@" -o "$name" \
		"$progs/names/$source"
	"./$name" >"$name.ask"
	want=$(printf -- '-\n'; cut -d' ' -f6- "$name.ask")
	ok "$name asks" [ "$(wc -l <"$name.ask")" -gt 12 ]
	is "$name: each has the name of the source" "$(dump_of "$name")" "$want"
}

gcc -c -o say.o "$progs/names/say.c"
for cc in gcc clang; do
	same "$cc-dwarf5" $cc statics.c -gdwarf-5
	same "$cc-dwarf4-static" $cc statics.c -gdwarf-4 -static
	same "$cc-dwarf2" $cc statics.c -gdwarf-2
	same "$cc-static-pie" $cc statics.c -g -O2 -static-pie
	same "$cc-lto" $cc statics.c -g -O2 -flto
done
for cxx in g++ clang++; do
	same "$cxx-dwarf5" $cxx statics.cpp -std=c++17 -gdwarf-5
	same "$cxx-types" $cxx statics.cpp -std=c++17 -gdwarf-4 -static \
		-fdebug-types-section
	same "$cxx-no-pie" $cxx statics.cpp -std=c++17 -g -O2 -no-pie
done
same fortran-dwarf5 gfortran statics.f90 -gdwarf-5 say.o
same fortran-dwarf4 gfortran statics.f90 -gdwarf-4 -static say.o

# The data of a report's columns.
cp gcc-dwarf5.ask ask
at() {
	sed -n "s/^g \([0-9a-f]*\) .* $1\$/\1/p" ask | head -n 1
}
printf 'v %s\n' "$(at 'Arr\[0\]')" "$(at 'cells\[12\].pos.x')" \
	"$(at 'myG.Ba')" "$(at scalar)" "$(at 'grid\[3\]\[6\]')" >gcc-dwarf5.ask
is "shape, bytes, element and number of elements" \
	"$(dump_of gcc-dwarf5 | sed "1d;s| $progs/names/| |")" \
	"Arr array 40 4 10 statics.c
cells array 960 48 20 statics.c
myG structure 8 8 1 statics.c
scalar scalar 8 8 1 statics.c
grid array 280 8 35 statics.c"
printf 'm %s\n' "$(at 'cells\[12\].pos.x')" "$(at scalar)" >gcc-dwarf5.ask
is "members of a structure" "$(dump_of gcc-dwarf5 | sed 1d)" \
	"cells pos@0+24 id@24+4 low@28+2 high@30+2 u@32+4 next@40+8
scalar"

# plain NAME WHY FLAGS...
plain() {
	local name=$1 why=$2
	shift 2
	gcc -Wl,--build-id "$@" -o "$name" "$progs/names/statics.c"
	"./$name" | grep -E ' (Arr|grid\[3\]|myG|inner::calls)' >"$name.ask"
	is "$name: symbol and offset" "$(dump_of "$name" | head -n 5)" \
		"$why
calls.2
Arr
Arr+36
Arr"
}
plain no-g "it has no debug information (-g)"
plain g1 "its debug information has no variables (-g1?)" -g1
plain split "its debug information is in other files (-gsplit-dwarf)" \
	-g -gsplit-dwarf

cp gcc-dwarf5 apart
cp ask apart.ask
strip -g apart
is "without its debug information" "$(dump_of apart | head -n 1)" \
	"it has no debug information (-g)"
like "of another build" "$("$dump" "$PWD/apart" 0123 </dev/null 2>&1)" \
	"apart: of another build than the trace"
like "no file" "$("$dump" "$PWD/gone" 0123 </dev/null 2>&1)" \
	"gone does not exist or is no program"
strip apart
like "stripped" "$(dump_of apart 2>&1)" "no variables: it is stripped"

# Debug information that no compiler writes.
ok "loops compile" gcc -no-pie -Wl,--build-id -o loops "$progs/names/loops.s"
nm loops | sed -n 's/^0*\([0-9a-f]*\) D \(alias\|self\|array\|endless\|wide\|nested\|lost\)$/\2 \1/p' |
	sort >symbols
ok "all are there" [ "$(wc -l <symbols)" = 7 ]
while read -r _ at; do
	printf 'g %s 4 0 0\nv %s\nm %s\n' "$at" "$at" "$at"
	printf 'g %x 4 0 0\n' $((0x$at + 12))
	printf 'g %x 4 4 %x\n' $((0x$at)) $((0x$at + 60))
done <symbols >loops.ask
quick() { # COMMAND...: it has 10 s of the processor
	(
		ulimit -t 10
		"$@"
	)
}
ok "types that are made of themselves have an end, and soon" quick dump_of loops
is "what is known is told" "$(dump_of loops | grep -c '^self')" 5

# Bytes of debug information that are others: an answer or none, never a crash.
cp ask broken.ask
printf 'm %s\nv %s\n' "$(at 'cells\[12\].pos.x')" "$(at scalar)" >>broken.ask
seeds=40
[ -z "${WM_LONG:-}" ] || seeds=1000
bad=
for seed in $(seq $seeds); do
	perl -e 'my ($seed, $in, $out, @at) = @ARGV; srand($seed);
		open(F, "<", $in); binmode F; local $/; my $b = <F>;
		for (1 .. 1 + rand 12) {
			my ($from, $n) = split /,/, $at[rand @at];
			substr($b, hex($from) + int rand hex($n), 1) =
				chr(rand 4 < 1 ? rand 256 : (0, 1, 127, 128, 255)[rand 5]);
		}
		open(F, ">", $out); binmode F; print F $b' \
		$seed gcc-dwarf5 broken $(readelf -SW gcc-dwarf5 |
		sed -n 's/.* \.debug_\(info\|abbrev\|str\) *PROGBITS *[0-9a-f]* \([0-9a-f]*\) \([0-9a-f]*\) .*/\2,\3/p')
	dump_of broken >/dev/null 2>&1
	case $? in 0 | 1) ;; *) bad="$bad $seed" ;; esac
done
is "damaged debug information: $seeds ways" "$bad" ""
done_testing
