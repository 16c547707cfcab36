# SPDX-License-Identifier: Apache-2.0
# Calls of memcpy, strlen and the like from hooked objects are block accesses,
# with their reads before their writes; no other calls are.
. "$(dirname "$0")/../lib.sh" wmcc-lib access-lib
export WM_ACCESS_CACHE=$W/cache WM_CC=gcc WM_CXX=g++ WM_FC=gfortran
export WMCC_ACCESS=1

accesses() { "$dump" run/*/rank-000000.wmt.xz; } # of the last run
blocks() { accesses | awk '$3 ~ /3$/ {print substr($3, 1, 1), $4, $5}'; }
runs() { # PROGRAM ARGUMENTS...: output to `said`
	rm -rf run
	WM_DIR=run timeout $stuck "$@" >said
}

# ---- what a program says that it does ----
stated() { # COMPILER FLAGS
	local what="$1 $2"

	rm -f app app.wma
	ok "$what compiles" env WM_CC="$1" wmcc -g $2 \
		"$progs/access/blocks.c" -o app
	ok "$what runs" runs ./app.wma
	ok "$what: many functions are called" [ "$(wc -l <said)" -ge 27 ]
	blocks >got
	ok "$what: their blocks, in order" diff said got
	# first and last: the place is that of the program's call
	accesses | awk '$3 ~ /3$/ {print "0x" $6}' | sed -n '1p;$p' |
		addr2line -fe app.wma | grep -c '^work$' >places
	case $2 in *no-pie* | "-static "*) is "$what: places" "$(cat places)" 2 ;; esac

	ok "$what: structs" runs ./app.wma big
	read -r one two <said
	accesses | awk -v one="$one" -v two="$two" \
		'$5 == 5000 && ($4 == one || $4 == two) {
			print substr($3, 1, 1), $4}' | sort >got
	printf '%s\n' "r $one" "w $one" "w $two" | sort >want
	ok "$what: what is copied is told once" diff want got
}
for c in gcc clang; do
	have $c $c $c || continue
	# clang makes other calls of those whose number of bytes it knows
	[ $c = clang ] || constant=-DCONSTANT
	for flags in "-static -O0" "-static -O2" "-no-pie -O1" "-O2" \
		"-O2 -static-pie -fPIE"; do
		stated $c "$flags ${constant:-}"
	done
	constant=
	fortify="-O2 -static -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2"
	stated $c "$fortify"
	ok "$c: with checks" sh -c 'nm app.wma | grep -q wm_access___memcpy_chk'
done

# ---- an object with more sections than 16 bits can count ----
cat >many.c <<'EOF'
#include <string.h>
char from[5000], to[5000];
int main(int argc, char **argv)
{
	memcpy(to, from, argc * 4000);
	return argv[0] == to;
}
__asm__(".altmacro\n.macro one n\n.section .rodata.n\\n,\"a\"\n.byte 0\n"
	".endm\n.set i, 0\n.rept 65500\none %i\n.set i, i + 1\n.endr\n.text");
EOF
ok "65,500 sections: it compiles" wmcc -g -static -O1 -fno-builtin many.c \
	-o many
ok "65,500 sections: it runs" runs ./many.wma
blocks | cut -d ' ' -f 1,3 | tr '\n' ' ' >got
is "65,500 sections: the copy is seen" "$(cat got)" "r 4000 w 4000 "

# ---- a name with a version ----
cat >version.c <<'EOF'
#include <stdio.h>
#include <string.h>
__asm__(".symver memcpy,memcpy@GLIBC_2.2.5\n.symver strlen,strlen@GLIBC_2.2.5");
char text[5000];
int main(int argc, char **argv)
{
	for (int i = 0; i < 4500; i++)
		text[i] = (char)('a' + i % 23);
	memcpy(text + 1, text, argc * 4000); /* that version can */
	puts(text + 3990);
	return strlen(argv[0] + argc * 2 - 2) != 13 || text[2000] != text[2023];
}
EOF
if gcc -fno-builtin version.c -o plain 2>/dev/null; then
	./plain >want
	for flags in "-no-pie -O1" "-O2 -fPIE -pie"; do
		ok "a version, $flags: it compiles" wmcc -g $flags \
			-fno-builtin version.c -o version
		ok "a version, $flags: it runs" runs ./version.wma
		ok "a version, $flags: as it did" diff want said
		blocks | cut -d ' ' -f 1,3 | tr '\n' ' ' >got
		is "a version, $flags: all is seen" "$(cat got)" \
			"r 4000 w 4000 r 14 "
	done
else
	skip "names with versions" "this C library has no memcpy@GLIBC_2.2.5"
fi

# ---- what a second opinion sees ----
ok "the second opinion compiles" gcc -O2 -fomit-frame-pointer -c -o raw.o \
	"$SRC/tests/tools/access_raw.c"
wraps=$(nm raw.o | sed -n 's/.* T __wrap_/-Wl,--wrap=/p')
same() { # KIND COMPILER WRAPPER VARIABLE LEAST SOURCE FLAGS...
	local what="$6, $1, $2" kind=$1 cc=$2 wrapper=$3 var=$4 least=$5 n
	local source=$6
	shift 6
	rm -rf run raw ours plain.o
	mkdir raw ours
	ok "$what: compiles" env "$var=$cc" "$wrapper" -g "$@" -c \
		"$progs/access/$source" -o plain.o
	cp "cache/$(sha256sum <plain.o | cut -c1-64).o" hooked.o
	ok "$what: links" access_link "$kind" "$cc" prog hooked.o raw.o $wraps
	ok "$what: runs" env RAW_DIR=raw WM_DIR=run ./prog
	ok "$what: the trace can be read" \
		"$dump" run/*/rank-000000.wmt.xz --raw ours
	ok "$what: and is the same" diff -r raw ours
	n=$(blocks | wc -l)
	ok "$what: blocks ($n)" [ "$n" -ge "$least" ]
}
for kind in static dynamic; do
	same $kind gcc wmcc WM_CC 4000 turns.c -O2
	same $kind g++ wmcxx WM_CXX 4000 blocks.cpp -O2
	same $kind g++ wmcxx WM_CXX 4000 blocks.cpp -O0
	if have clang clang "clang, $kind"; then
		same $kind clang wmcc WM_CC 4000 turns.c -O2
		same $kind clang++ wmcxx WM_CXX 4000 blocks.cpp -O2
	fi
	if have gfortran gfortran "gfortran, $kind"; then
		same $kind gfortran wmf90 WM_FC 1 blocks.f90 -O2
	fi
done

# ---- Fortran: whole arrays ----
if have gfortran gfortran "whole arrays"; then
	wmf90 -static -O2 "$progs/access/blocks.f90" -o app
	runs ./app.wma
	read -r a b c <said
	# gfortran tells of some as ranges; whichever way, it is told once
	accesses | awk '$5 == 40000 {print substr($3, 1, 1), $4, $5}' >got
	read -r a b c <<<"$(tr A-F a-f <said)"
	is "b = a, c = 0" "$(head -3 got | tr '\n' ' ')" \
		"w $b 40000 r $a 40000 w $c 40000 "
fi

# ---- no others ----
cat >other.c <<'END'
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
	char line[300];

	snprintf(line, sizeof(line), "%200s", argv[0]);
	fputs(line, stderr);
	return argc > 1;
}
END
wmcc -static -O1 other.c -o other
runs ./other.wma 2>/dev/null
is "the C library's own calls are no accesses" "$(blocks)" ""

# A program's own: it is called, and not renamed.
cat >own.c <<'END'
#include <stddef.h>
#include <stdio.h>
int calls;
char *strcat(char *to, const char *from)
{
	calls++;
	*to = *from;
	return to;
}
END
cat >use.c <<'END'
#include <stdio.h>
#include <string.h>
extern int calls;
char a[20] = "a", b[20] = "b";
int main(void)
{
	char *(*volatile f)(char *, const char *) = strcat;

	strcat(a, b);
	f(a, b);
	printf("%d %s\n", calls, a);
	return 0;
}
END
wmcc -static -O1 -fno-builtin -c own.c
ar rc libown.a own.o
wmcc -static -O1 -fno-builtin use.c -L. -lown -o use
is "a function of the program's own" "$(WM_DIR=traces ./use.wma)" "2 b"
is "the plain one" "$(./use)" "2 b"
done_testing
