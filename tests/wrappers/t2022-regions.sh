# SPDX-License-Identifier: Apache-2.0
# Names of the next block, regions and marks: what wmtrace.h and wmtrace.f90
# say, in the trace (as wmt-dump reads it) and in reports.
. "$(dirname "$0")/../lib.sh" wmcc-lib python3
headers=$(wm-config --cflags)
module=$(wm-config --fortran-module)

# said: what the trace says, in one line; names are not of blocks here
said() {
	"$dump" run/*/rank-000000.wmt.xz >dump.txt
	awk '$3 ~ /^(NEXT|MARK|REGION)/ {
		k = $3; $1 = $2 = $3 = ""
		sub(/^ +/, ""); sub(/ +$/, "")
		printf "%s%s(%s)", n++ ? " " : "", k, $0 }' dump.txt
}

# region ADDRESS BYTES ELEMENT NAME
region() {
	echo "REGION_START($1) REGION_BYTES($2) REGION_ELEMENT($3) REGION($4)"
}

names='[["inside",2000,1],["kept",7000,1],["last",8000,1],["next",1000,1]'
names=$names',["own",5000,1],["wrong",0,0]]'

# all LABEL: the newest run, whose output is in out, is as regions.c says
all() {
	local at end
	at=$(head -1 out)
	end=$((at + 4000))
	is "$1: in the trace" "$(said)" "$(region $end 4000 8 "upper half"
		) NEXT(next) NEXT(nothing) NEXT(-) MARK(half way) NEXT(own) NEXT(kept) $(
		region $((at + 4800)) 80 0 row
		) REGION_END($((at + 4840))) REGION_END($((at + 80))) $(
		region $end 4000 4 "of floats") $(
		region "$at" 8000 8 whole) REGION_END($((at + 80))) NEXT(in a pause) NEXT(in a pause) NEXT(last) MARK(-)"
	wm-analyze -q --json run/* >out.json 2>/dev/null
	is "$1: names" "$(jq -c '[.names[] | [.name, .bytes, .blocks]] | sort' \
		out.json)" "$names"
	is "$1: marks" "$(jq -c '[.marks[] | [.text, .bytes >= 6000,
		.phase]]' out.json)" '[["half way",true,null],[null,true,null]]'
	is "$1: regions" "$(jq -c '[.regions[] | [.name, .bytes,
		.element_bytes, .address, .end_s != null]]' out.json)" "$(printf \
		'[["upper half",4000,8,"0x%x",true],["row",80,0,"0x%x",true],["of floats",4000,4,"0x%x",false],["whole",8000,8,"0x%x",true]]' \
		$end $((at + 4800)) $end "$at")"
}

# LABEL COMPILER WRAPPER VARIABLE FLAGS
check() {
	rm -rf plain app app.wm run
	command -v "$2" >/dev/null ||
		{ skip "$1 $5" "package $2 is not installed"; return; }
	ok "$1 $5: the plain program" "$2" $5 $headers -fno-builtin -Wall \
		-Wextra -Werror "$progs/annotate/regions.c" -o plain -pthread
	env "$4=$2" "$3" $5 -fno-builtin "$progs/annotate/regions.c" -o app \
		-pthread
	ok "$1 $5: same program" same plain app
	WM_DIR=run ./app.wm >out 2>err
	is "$1 $5: silent" "$?$(cat err)" 0
	all "$1 $5"
}
check C gcc wmcc WM_CC -static
check C gcc wmcc WM_CC ""
check C gcc wmcc WM_CC "-static -flto -O2"
check C clang wmcc WM_CC "-O2"
check C++ g++ wmcxx WM_CXX "-x c++ -static"
check C++ g++ wmcxx WM_CXX "-x c++"
ok "C90" gcc -std=c90 -pedantic -Wall -Wextra -Werror -x c \
	-fsyntax-only "$SRC/include/wm/wmtrace.h"
./plain >out
is "the plain program costs nothing: it runs" "$?" 0
rm -rf run
WM_DIR=run wm-run ./plain >out 2>err
is "wm-run: silent" "$?$(cat err)" 0
all wm-run

# ---- what the C library allocates for a thread takes no name ----
cat >thread.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <wm/wmtrace.h>
char *volatile kept;
static void *nothing(void *unused) { return unused; }
int main(void)
{
	pthread_t t[2];

	wm_name_next("mine");
	pthread_create(&t[0], NULL, nothing, NULL);
	pthread_create(&t[1], NULL, nothing, NULL);
	kept = malloc(1234);
	pthread_create(&t[0], NULL, nothing, NULL);
	kept = malloc(4321);
	return kept == NULL;
}
END
WM_CC=gcc wmcc $headers thread.c -o thread -pthread
for command in "./thread.wm" "wm-run ./thread"; do
	rm -rf thread.d
	WM_DIR=thread.d $command
	is "$command: threads take no name" "$(wm-analyze -q --json thread.d/* \
		2>/dev/null | jq -c '[.names[] | [.name, .bytes, .blocks]]')" \
		'[["mine",1234,1]]'
done

# ---- reports for people ----
wm-analyze run/* >text 2>/dev/null
like "marks in the summary" "$(grep -A2 '^Marks of rank 0' text | tail -1)" \
	'^  half way +[0-9.]+ [mu]?s +[0-9.]+ KiB'
like "regions in the summary" "$(grep -A3 '^Named regions of rank 0' text |
	tail -2 | tr '\n' '|')" \
	'^  upper half +3.9 KiB +8 bytes +0x[0-9a-f]+ +[0-9.]+ [mu]?s +[0-9.]+ [mu]?s\|  row +80 bytes +- +0x'
wm-analyze -q --timeline --svg picture.svg run/* >/dev/null 2>&1
is "marks in the picture" "$(grep -c 'class="mark".*half way' picture.svg)" 1
is "all ranks together have none" "$(wm-analyze -q --json --rank all run/* \
	2>/dev/null | jq -c '[.marks, .regions, (.names | length)]')" '[[],[],6]'
wm-analyze --repack run/* >told 2>&1
is "a repacked trace says the same" "$(grep -c "^1 trace:" told) $(
	wm-analyze -q --json run/* 2>/dev/null | jq -c '[.names, .marks, .regions]')" \
	"1 $(jq -c "[.names, .marks, .regions]" out.json)"

# ---- a killed process: all is in the window ----
rm -rf run
WM_DIR=run WM_WINDOW=1 bash -c './app.wm die >out 2>err' 2>/dev/null
is "a killed process has a window" "$(find run -name '*.wmw' | wc -l)" 1
at=$(head -1 out)
wm-analyze -q --json run/* >out.json 2>/dev/null
is "its window has all" "$(jq -c '[([.names[] | [.name, .bytes, .blocks]] |
	sort), [.marks[].text], [.regions[] | [.name, .address]]]' out.json)" \
	"$(printf '[%s,["half way",null],[["upper half","0x%x"],["row","0x%x"],["of floats","0x%x"],["whole","0x%x"]]]' \
	"$names" $((at + 4000)) $((at + 4800)) $((at + 4000)) "$at")"

# ---- Fortran ----
for flags in "-static" "" "-O2 -static -flto"; do
	command -v gfortran >/dev/null ||
		{ skip "Fortran" "package gfortran is missing"; break; }
	rm -rf plain app app.wm run
	ok "Fortran $flags: the plain program" gfortran $flags -Wall -Werror \
		"$module" "$progs/annotate/regions.f90" -o plain
	ok "Fortran $flags: it runs" ./plain
	wmf90 $flags "$module" "$progs/annotate/regions.f90" -o app 2>/dev/null
	WM_DIR=run ./app.wm >out 2>err
	read -r field both <out
	is "Fortran $flags: in the trace" "$(said)" "$(region "$field" 800 8 \
		lower) $(region "$both" 240 8 both) NEXT(next) MARK(half way) REGION_END($((both +
		232))) MARK(-)"
	is "Fortran $flags: names" "$(wm-analyze -q --json run/* 2>/dev/null |
		jq -c '[.names[] | [.name, .bytes]] | sort')" \
		'[["inside",2000],["next",1000],["wrong",0]]'
done
done_testing
