# SPDX-License-Identifier: Apache-2.0
# Addresses to functions, files and lines, against addr2line and nm.
. "$(dirname "$0")/../lib.sh" census-lib
need_tools

bring census/places/shapes.h census/places/main.cc census/places/other.cc

# The program's own code: every address at which an instruction starts.
addresses() {
	objdump -d --no-show-raw-insn "$1" | awk '
		/^[0-9a-f]+ <(main|_Z|_ZN3box)/ { on = 1 }
		/^$/ { on = 0 }
		on && /^ *[0-9a-f]+:/ { sub(":", "", $1); print $1 }' |
		awk 'NR % 3 == 0' | head -3000
}

# WHAT COMPILE-AND-LINK...
check() {
	local what=$1
	rm -f app
	if ! "${@:2}" main.cc other.cc -o app -Wl,-Map=app.map 2>cc.err; then
		skip "$what" "$(grep -m1 . cc.err)"
		return
	fi
	ok "$what: embed" embed app app.map
	addresses app >addresses
	census-dump app.wm find $(cat addresses) |
		awk -F'\t' '$2 != "-" && $3 { print $2 ":" $3 }
			$2 == "-" || !$3 { print "??" }' >got
	addr2line -e app $(cat addresses) |
		sed 's/ (discriminator [0-9]*)//; s/.*:[0?]$/??/' >wanted
	ok "$what: $(wc -l <addresses) addresses have addr2line's lines" \
		diff_few wanted got
	nm --defined-only app | awk '$2 ~ /[tTwW]/ { print $1, $3 }' >all
	grep -E ' (_Z|main$)' all >symbols
	census-dump app.wm find $(cut -d' ' -f1 symbols) | cut -f1 >names
	ok "$what: $(wc -l <symbols) functions" same_functions
	like "$what: the object of main" \
		"$(census-dump app.wm find "$(sed -n 's/ main$//p' symbols)" |
			cut -f4)" '^(main\.(o|cc)|.*main-[0-9a-f]*\.o)$'
}

# addr2line has other ideas where two rows share an address or where code was
# thrown away: one in fifty may differ.  $loose: it does not understand
# the program's debug information.
loose=
diff_few() {
	local n
	n=$(wc -l <addresses)
	[ "$n" -gt 50 ] && [ "$(wc -l <got)" -eq "$n" ] || return 1
	paste -d' ' addresses wanted got | awk -v loose="$loose" \
		'$2 != $3 && !(loose && $2 == "??")' >different
	head -5 different
	echo "$(wc -l <different) of $n differ"
	[ $(($(wc -l <different) * 50)) -le "$n" ]
}

# A symbol's address gives its name or another name for the address.
same_functions() {
	paste -d' ' symbols names | awk '
		FNR == NR { name[$1, $2] = 1; next }
		!(($1, $3) in name) { print; bad = 1 }
		END { exit bad || FNR < 4 }' all -
}

for ld in bfd gold lld mold; do
	check "$ld -O0" g++ -g -O0 -static -fuse-ld=$ld
done
check "-O2" g++ -g -O2 -static
check "-O2 PIE" g++ -g -O2 -pie -fPIE
check "-O2 lld PIE, sections collected" g++ -g -O2 -pie -fPIE \
	-fuse-ld=lld -ffunction-sections -Wl,--gc-sections
check "lld, identical code folded" g++ -g -O1 -static -fuse-ld=lld \
	-ffunction-sections -Wl,--icf=all
check "-gdwarf-4" g++ -gdwarf-4 -O1 -static
check "-gz" g++ -g -gz -O1 -static
loose=1
check "-gsplit-dwarf" g++ -gsplit-dwarf -g -O1 -static
loose=
check "-flto" g++ -g -O1 -flto -static
check "clang" clang++ -g -O1 -static
check "clang -gdwarf-4" clang++ -gdwarf-4 -O1 -static

# without -g there are functions still; without symbols there is nothing
g++ -O1 -static main.cc other.cc -o app
ok "no -g: embed" embed app
main=$(nm app | sed -n 's/ T main$//p')
is "no -g: the function" "$(census-dump app.wm find "$main")" \
	"$(printf 'main\t-\t0\t-')"
strip -o stripped app
cp stripped stripped.wm
ok "stripped: embed" census-embed stripped stripped.wm
is "stripped: nothing is known" "$(census-dump stripped.wm find "$main")" "-"

# one function within another, several names, a label without size
gcc -static "$progs/census/odd_code.s" -o odd
ok "assembler: embed" embed odd
at() { census-dump odd.wm find "$(printf '%x' $((16#$(nm odd |
	sed -n "s/ T $1$//p") + $2)))" | cut -f1; }
is "outer before inner" "$(at outer 15)" outer
is "inner" "$(at outer 16) $(at outer 31)" "inner inner"
is "outer after inner" "$(at outer 32) $(at outer 47)" "outer outer"
is "a function without size reaches to the next" \
	"$(at unsized 0) $(at unsized 15)" "unsized unsized"
is "fewer underscores make the better name" "$(at alias 3)" alias
done_testing
