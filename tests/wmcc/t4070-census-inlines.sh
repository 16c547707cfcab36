# SPDX-License-Identifier: Apache-2.0
# run: rest
# Addresses to inlined calls: the lines of addr2line -i, names of our own.
. "$(dirname "$0")/../lib.sh" census-lib
need_tools

bring census/inlines/pool.h census/inlines/main.c census/inlines/main.cc

# The program's own code: the last byte of every call, where traces look.
# calls APP FUNCTION: those to a function whose name matches
calls() {
	objdump -d --no-show-raw-insn "$1" | awk -v f="${2:-}" '
		/^[0-9a-f]+ <.*>:$/ { on = / <(main|take|keep|fill|_Z)/ }
		call && /^ *[0-9a-f]+:/ { sub(":", "", $1); print $1 }
		{ call = on && /^ *[0-9a-f]+:.*\tcall/ &&
			(f == "" || $NF ~ "<" f "(@.*)?>$") }' |
		while read -r next; do printf '%x\n' $((16#$next - 1)); done
}

# addr2line calls the innermost by its symbol where debug information has no
# linkage name; so names are in chains, and here the lines count.
same_lines() {
	calls "$1" >addresses
	census-dump "$1.wm" frames $(cat addresses) | awk -F'\t' '
		$0 == "" { print line; line = ""; next }
		{ n = split($2, path, "/"); line = line " " path[n] ":" $3 }' >got
	addr2line -i -a -f -e "$1" $(cat addresses) | awk '
		/^0x[0-9a-f]+$/ { if (NR > 1) print line; line = ""; n = 0; next }
		++n % 2 == 0 {
			sub(/ \(discriminator.*/, ""); sub(/.*\//, "")
			sub(/:\?$/, ":0"); line = line " " $0
		}
		END { print line }' >wanted
	paste -d'|' addresses got wanted | awk -F'|' -v loose="$loose" '
		$2 == " -:0" || (loose && index($2, $3 " ") == 1) { next }
		$2 != $3 && $3 !~ /\?\?|\.o:0/ { print; bad++ }
		$2 ~ / .* / { inlined++ }
		END {
			print NR, "calls,", inlined + 0, "inlined,", bad + 0,
				"differ"
			exit NR < 4 || bad > NR / (loose ? 10 : 50) || inlined < 2
		}'
}

# $loose: of clang's ranges addr2line (binutils 2.40) loses some, of DWARF 5 all.
loose=

# The calls of FUNCTION, one line each: "name line < name line".
chains() {
	local at
	for at in $(calls "$1" "$2"); do
		census-dump "$1.wm" frames "$at" | c++filt | awk -F'\t' '
			$1 { printf "%s%s %s", n++ ? " < " : "", $1, $3 }
			END { print "" }'
	done
}

# WHAT COMMAND... MAIN
check() {
	local what=$1 main=${*: -1}
	rm -f app
	if ! "${@:2}" -o app -Wl,-Map=app.map 2>cc.err; then
		skip "$what" "$(grep -m1 . cc.err)"
		return
	fi
	ok "$what: embed" embed app app.map
	[ -n "$no_lines" ] || ok "$what: lines are addr2line's" same_lines app
	if [ "$main" = main.c ]; then
		like "$what: calls within calls" "$(chains app '(__libc_|__)?calloc')" \
			'^take 9 < keep 17 < fill 9 < main 13$'
		like "$what: another call of the same" "$(chains app '(__libc_|__)?calloc')" \
			'^take 9 < keep 17 < main 14$'
		return
	fi
	like "$what: a namespace, a lambda" "$(chains app '_Zna[jm]')" \
		'app::inner::numbers.*operator\(\).* 26 < app::inner::numbers.* 27 < main 38$'
	like "$what: a constructor in a template" \
		"$(chains app '_Znw[jm]')" '^std::.* < std::vector<double.*::vector.* < \(anonymous namespace\)::grid::grid.* 15 < main 32$'
	like "$what: C in C++" "$(chains app '(__libc_|__)?calloc')" \
		'^take.* 9 < keep.* 17 < main 36$'
}

no_lines=
for flags in -O2 "-O3 -gdwarf-4" "-O2 -flto" "-O2 -static" \
	"-O2 -fPIE -pie -ffunction-sections -fuse-ld=lld -Wl,--gc-sections"; do
	for cc in gcc clang; do
		loose=${cc#gcc}
		check "$cc $flags" $cc -g $flags main.c
	done
	for cc in g++ clang++; do
		loose=${cc#g++}
		check "$cc $flags" $cc -g $flags main.cc
	done
done
# addr2line does not read these
no_lines=1
check "split units" gcc -g -O2 -gsplit-dwarf main.c
check "split units, C++" g++ -g -O2 -gsplit-dwarf main.cc
check "compressed" gcc -g -gz -O2 main.c
no_lines=

# Code without debug information has no line of the code before it.
g++ -g -O2 -static main.cc -o app
ok "the C library's code: embed" embed app
is "the C library's code: no line" "$(census-dump app.wm find "$(nm app |
	sed -n 's/ T _start$//p')" | cut -f1-3)" "$(printf '_start\t-\t0')"

if g++ -g -O2 -ffunction-sections -fuse-ld=lld -Wl,--icf=all main.cc -o app \
	2>cc.err; then
	ok "identical code folded" embed app
	ok "identical code folded: it is read" census-dump app.wm sections
else
	skip "identical code folded" "$(grep -m1 . cc.err)"
fi
gcc -g -O0 main.c -o app
ok "-O0: embed" embed app
is "-O0: nothing is inlined" "$(chains app '(__libc_|__)?calloc')" "take 9"
done_testing
