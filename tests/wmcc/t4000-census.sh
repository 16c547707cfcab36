# SPDX-License-Identifier: Apache-2.0
# The census of static memory: sections and variables in C, C++ and Fortran,
# with four linkers, gcc and clang, static, PIE, LTO.
. "$(dirname "$0")/../lib.sh" census-lib
need_tools

bring census/variables/a.c census/variables/b.c

# LINKER WORD-FOR-NONE-IN-COMMON FLAGS...
check_c() {
	local what="$2 $3 ${*:4}" ld=$1 common=common bss=.bss
	[ "$ld" = mold ] && bss=.common
	rm -f app app.wm
	if ! $2 -g -O1 -fcommon -c a.c b.c "${@:4}" 2>cc.err ||
	   ! ar rcs libb.a b.o ||
	   ! $2 -O1 -fuse-ld="$ld" $3 a.o libb.a "${@:4}" -o app \
		-Wl,-Map=app.map 2>cc.err; then
		skip "$ld $what" "$(grep -m1 . cc.err)"
		return
	fi
	what="$ld $what"
	ok "$what: embed" embed app app.map
	ok "$what: it runs" ./app.wm
	ok "$what: sections" sections_match app
	ok "$what: rows add up" rows_add_up app
	is "$what: COMMON" "$(row app shared_common)" \
		"$bss 400 a.o a.c:6 $common"
	is "$what: COMMON of an archive's member" "$(row app only_b)" \
		"$bss 24 libb.a(b.o) b.c:6 $common"
	is "$what: static" "$(row app local)" ".bss 200 a.o a.c:7 -"
	is "$what: tls data" "$(row app tls_data)" ".tdata 4 a.o a.c:8 -"
	is "$what: tls bss" "$(row app tls_bss)" ".tbss 120 a.o a.c:9 -"
	is "$what: data" "$(row app counts)" ".data 40 a.o a.c:12 -"
	is "$what: rodata" "$(row app table)" ".rodata 256 a.o a.c:11 -"
	like "$what: pointers" "$(row app pointers)" \
		'^\.(data\.rel\.ro(\.local)?|rodata) 16 a\.o a\.c:10 -$'
	like "$what: static of a function" \
		"$(row app hidden.0; row app main.hidden)" \
		'^\.bss 56 a\.o a\.c:(15|16) -'
}

for ld in bfd gold lld mold; do
	command -v ld.$ld >/dev/null || command -v $ld >/dev/null || {
		skip "$ld" "not installed"
		continue
	}
	for kind in -static -static-pie -pie -no-pie; do
		pic=-fPIE
		[[ $kind == *pie ]] && [ $kind != -no-pie ] || pic=-fno-pie
		check_c $ld gcc $kind $pic
	done
	command -v clang >/dev/null && check_c $ld clang -static
done
check_c bfd gcc -static -gdwarf-4
check_c bfd gcc -static -gdwarf-5 -gz
check_c bfd gcc -static -gsplit-dwarf
check_c bfd gcc -static -fdebug-types-section
check_c bfd gcc -static -Wl,-z,norelro
check_c bfd gcc -static -Wl,--gc-sections
command -v clang >/dev/null &&
	check_c lld clang -static -gsplit-dwarf -gdwarf-5

# what the classes add up to
check_c bfd gcc -static
size=$(readelf -SW app | sed 's/^ *\[ *[0-9]*\] *//' | awk '
	function hex(s, v, i) { v = 0
		for (i = 1; i <= length(s); i++)
			v = v * 16 + index("0123456789abcdef",
				substr(s, i, 1)) - 1
		return v }
	$7 ~ /T/ { tls += hex($5); next }
	$2 == "NOBITS" && $1 !~ /^__libc_/ { bss += hex($5) }
	END { print tls, bss }')
is "class tls and bss" "$(total app tls) $(total app bss)" "$size"
rodata=$(readelf -SW app | sed -n 's/.* \.rodata  *PROGBITS *[0-9a-f]* [0-9a-f]* \([0-9a-f]*\).*/\1/p')
is "class rodata" "$(total app rodata)" $((16#$rodata))

sed -i 's/^int shared_common/extern &/' b.c
# link-time optimisation: temporary objects are named by source
for ld in bfd gold mold; do
	rm -f app
	gcc -g -O1 -flto -fuse-ld=$ld -static a.c b.c -o app \
		-Wl,-Map=app.map 2>/dev/null || {
		skip "$ld -flto" "does not link"
		continue
	}
	ok "$ld -flto: embed" embed app app.map
	ok "$ld -flto: sections" sections_match app
	ok "$ld -flto: rows add up" rows_add_up app
	is "$ld -flto: a variable" "$(row app local)" ".bss 200 a.c a.c:7 -"
	is "$ld -flto: no temporary names" \
		"$(census-dump app.wm rows | grep -c 'ltrans\|/cc[A-Za-z0-9]*\.o')" 0
done
if command -v clang >/dev/null && command -v ld.lld >/dev/null; then
	clang -g -O1 -flto -fuse-ld=lld -static a.c b.c -o app -Wl,-Map=app.map
	ok "clang -flto: embed" embed app app.map
	ok "clang -flto: rows add up" rows_add_up app
	is "clang -flto: a variable" "$(row app local)" ".bss 200 a.c a.c:7 -"
fi

# one step: /tmp/ccXXXXXX.o, known by the symbol table alone
gcc -O1 -static a.c b.c -o app -Wl,-Map=app.map
ok "one step, no -g: embed" embed app app.map
is "one step, no -g: static" "$(row app local)" ".bss 200 a.c -:0 -"
is "one step, no -g: extern" "$(row app counts)" ".data 40 a.c -:0 -"
# no map: locals by the symbol table, none by a guess
gcc -g -O1 -static a.c b.c -o app
ok "no map: embed" embed app
ok "no map: rows add up" rows_add_up app
is "no map: static" "$(row app local)" ".bss 200 a.c a.c:7 -"
is "no map: extern" "$(row app counts)" ".data 40 - a.c:12 -"
# a map of another program
gcc -g -O1 -static b.c -o other -Wl,-Map=other.map -x c - \
	<<<'extern int second(void); int shared_common[100]; char pad[999999] = "x";
	    int main(void) { return second() + pad[3]; }'
ok "foreign map: embed" embed app other.map
ok "foreign map: rows add up" rows_add_up app
echo "not a map at all" >text
ok "no map but text: embed" embed app text
ok "map that is missing: embed" embed app nowhere.map
ok "map that is missing: rows add up" rows_add_up app
done_testing
