# SPDX-License-Identifier: Apache-2.0
# Names of programs and libraries that have moved or were stripped: --exe, debug
# links with their CRC, build-id paths, directories of the user's, dwz; and that
# nothing of another build is taken unless the user insists.
. "$(dirname "$0")/../lib.sh" analyze-lib
unset WM_DEBUG_PATH WM_DEBUGINFOD DEBUGINFOD_URLS

source_of() { # BYTES FUNCTION
	cat <<X
#include <stdlib.h>
void *volatile keep;
char table[$1 * 4];
__attribute__((noinline)) static void $2(void)
{
	keep = malloc($1);
	table[0] = 1;
}
int main(void) { $2(); return 0; }
X
}
# held ARGUMENTS...: the function that holds the most, its file and line
held() {
	json '[(f["name"].split("+")[0], (f["file"] or "-").split("/")[-1],
		f["line"]) for f in j["functions"]][0]' --functions "$@"
}
told() { # ARGUMENTS...: what is said on stderr
	wm-analyze --functions "$@" 2>&1 >/dev/null
}
build_id() {
	eu-readelf -n "$1" | sed -n 's/.*Build ID: //p'
}
ways='name its file with --exe FILE, a directory of debug files with --debug-dir DIR, or ask servers with --debuginfod'
good="('holder', 'one.c', 6)"

source_of 77777 holder >one.c
source_of 77777 impostor >two.c

# ---- a program that was stripped, its debug information apart ----

# separate KIND: bin/prog is stripped and has run, full/prog is not, and
# prog.debug has what was stripped
separate() {
	rm -rf bin full run prog.debug
	mkdir bin full
	case $1 in
	dynamic)
		gcc -g -O1 -o full/prog one.c
		;;
	static*)
		wmcc -g -O1 -"$1" ${2:-} -o full/app one.c
		# no names but those of the symbol table
		objcopy -R .wm_census full/app.wm full/prog
		;;
	esac
	objcopy --only-keep-debug full/prog prog.debug
	strip full/prog -o bin/prog
	objcopy --add-gnu-debuglink=prog.debug bin/prog
	if [ "$1" = dynamic ]; then
		WM_DIR=run wm-run bin/prog
	else
		WM_DIR=run bin/prog
		rm -f run/*.wm/program.wmc.xz
	fi
	id=$(build_id bin/prog)
	none="('?? (prog', '-', 0)"
}
at() { # DESCRIPTION PLACE ARGUMENT...: prog.debug lies there
	mkdir -p "$(dirname "$2")"
	cp prog.debug "$2"
	is "$1" "$(held "${@:3}" run/*.wm)" "$good"
	rm "$2"
}
for kind in dynamic static "static-pie -fPIE"; do
	separate $kind
	is "$kind: no names" "$(held run/*.wm)" "$none"
	is "$kind: that is no loss" "$(status wm-analyze run/*.wm)" 0
	is "$kind: one line names file, build-id and ways" \
		"$(told run/*.wm | grep -c .*)" \
		"$(told run/*.wm | grep -c -e "bin/prog' has no names: it is \
stripped (build-id of the run: $id); $ways\$" -e 'for information')"
	is "$kind: -q" "$(told -q run/*.wm)" ""
	at "$kind: beside the program" bin/prog.debug
	at "$kind: in .debug" bin/.debug/prog.debug
	at "$kind: in --debug-dir" there/prog.debug --debug-dir there
	at "$kind: in --debug-dir, by the program's place" \
		"there$PWD/bin/prog.debug" --debug-dir there
	at "$kind: by its build-id" \
		"there/.build-id/${id:0:2}/${id:2}.debug" --debug-dir there
	WM_DEBUG_PATH=/nowhere::$PWD/there \
		at "$kind: in WM_DEBUG_PATH" there/prog.debug
	is "$kind: --exe: the program as it was" \
		"$(held --exe full/prog run/*.wm)" "$good"
	is "$kind: --exe: debug information" \
		"$(held --exe prog.debug run/*.wm)" "$good"
	is "$kind: --exe NAME=FILE" \
		"$(held --exe prog=prog.debug run/*.wm)" "$good"
	like "$kind: where names come from is said" \
		"$(told --exe prog.debug run/*.wm)" \
		"for information: names of '.*/bin/prog' come from 'prog.debug'"
	like "$kind: no complaint any more" "x$(told --exe full/prog run/*.wm |
		grep 'has no names')" '^x$'

	# what is there but does not fit
	mkdir -p bin/.debug
	{ cat prog.debug; echo more; } >bin/.debug/prog.debug
	is "$kind: its CRC is another" "$(held run/*.wm)" "$none"
	like "$kind: which" "$(told run/*.wm)" "bin/.debug/prog.debug' is damaged \
debug information, or that of another build: CRC [0-9a-f]{8} instead of"
	at "$kind: another place is looked at" there/prog.debug \
		--debug-dir there
	gcc -g -O1 -o other two.c
	objcopy --only-keep-debug other bin/.debug/prog.debug
	is "$kind: another build's" "$(held run/*.wm)" "$none"
	like "$kind: whose" "$(told run/*.wm)" "bin/.debug/prog.debug' is debug \
information of another build: build-id $(build_id other) instead of $id"
	echo nothing >bin/.debug/prog.debug
	is "$kind: no debug information" "$(held run/*.wm)" "$none"
	rm bin/.debug/prog.debug
	mkfifo bin/.debug/prog.debug
	is "$kind: a pipe is not waited for" \
		"$(timeout 100 wm-analyze -q run/*.wm >/dev/null; echo $?)" 0
	rm -r bin/.debug

	# ---- a program that has moved ----
	mv bin/prog bin/gone
	is "$kind: moved: no names" "$(held run/*.wm)" "$none"
	like "$kind: moved: one line" "$(told run/*.wm)" "bin/prog' has no names: \
neither .* is there \(build-id of the run: $id\); $ways"
	is "$kind: moved: --exe" "$(held --exe full/prog run/*.wm)" "$good"
	is "$kind: moved: debug information alone" \
		"$(held --exe prog.debug run/*.wm)" "$good"
	is "$kind: moved: --debug-dir" \
		"$(held --debug-dir full run/*.wm)" "$good"
	mv bin/gone elsewhere
	at "$kind: moved and stripped" prog.debug --exe elsewhere --debug-dir .
	objcopy --only-keep-debug full/prog prog.debug

	# ---- another build ----
	cp other bin/prog
	is "$kind: another build in its place" "$(held run/*.wm)" "$none"
	is "$kind: is a loss" "$(status wm-analyze run/*.wm)" 4
	like "$kind: which is meant" "$(told run/*.wm)" \
		"has changed since the run .*build-id of the run: $id.; $ways"
	is "$kind: --exe beside it" "$(held --exe full/prog run/*.wm)" "$good"
	is "$kind: no loss then" \
		"$(status wm-analyze --exe full/prog run/*.wm)" 0
	rm bin/prog
	is "$kind: --exe of another build" \
		"$(wm-analyze --exe other run/*.wm 2>&1; echo $?)" \
		"wm-analyze: --exe other: its build-id is $(build_id other), that \
of the traced '$PWD/bin/prog' is $id: names would be wrong; --any-build uses the \
file anyway
2"
	is "$kind: --any-build: an answer, but from a part" "$(status \
		wm-analyze --exe other --any-build run/*.wm)" 4
	is "$kind: --any-build takes its lines" "$(json 'any(f["file"] and
		f["file"].endswith("two.c") for f in j["functions"])' \
		--functions --exe other --any-build run/*.wm)" \
		"$([ "$kind" = dynamic ] && echo True || echo False)"
	like "$kind: --any-build: it is said" \
		"$(told --exe other --any-build run/*.wm)" \
		"bin/prog' has names of another build, as --any-build wants it"
	cp full/prog bin/prog
done

# ---- what cannot be used ----

refused() { # DESCRIPTION WANTED ARGUMENT...: one line, status 2
	is "$1" "$(wm-analyze "${@:3}" run/*.wm 2>&1; echo $?)" "wm-analyze: $2
2"
}
separate dynamic
refused "no file" "--exe gone: No such file or directory" --exe gone
refused "no ELF file" "--exe one.c: neither a program nor a library, nor debug \
information of one" --exe one.c
refused "a directory" "--exe bin: not a file" --exe bin
mkfifo pipe
refused "a pipe" "--exe pipe: not a file" --exe pipe
refused "a name that is nowhere" "--exe nobody=other: the traces name no \
program or library so" --exe nobody=other
refused "--any-build alone" "--any-build is about files: add --exe FILE" \
	--any-build
refused "no such directory" "--debug-dir gone: No such file or directory" \
	--debug-dir gone
refused "a file as directory" "--debug-dir one.c: Not a directory" \
	--debug-dir one.c
refused "an empty name" "--exe '': not a value" --exe ''
cp full/prog 'is=a=name'
is "a file with = in its name" "$(held --exe 'is=a=name' run/*.wm)" "$good"
mkdir -m 700 closed reach
cp prog.debug closed/
run_as=
[ "$(id -u)" -ne 0 ] || run_as="setpriv --reuid=65534 --clear-groups"
if [ -n "$run_as" ] && $run_as true 2>/dev/null; then
	chmod 755 . reach
	cp -a "$BUILD/bin/wm-analyze" reach/
	chmod -R a+rX run bin
	is "a directory that may not be read" "$($run_as reach/wm-analyze \
		--debug-dir closed run/*.wm 2>&1; echo $?)" \
		"wm-analyze: --debug-dir closed: Permission denied
2"
	WM_DEBUG_PATH=$PWD/closed $run_as reach/wm-analyze --functions \
		run/*.wm >out 2>err
	is "one in WM_DEBUG_PATH is passed over" "$?" 0
	like "there are no names then" "$(cat err)" "has no names: it is stripped"
else
	skip "a directory that may not be read" "no other user to be had"
fi

# ---- every form ----

for form in --tree --leaks --markdown --csv "--export folded" "--export csv"; do
	case $form in
	--markdown) form="--functions --format markdown" ;;
	--csv) form="--functions --csv" ;;
	esac
	like "$form" "$(wm-analyze -q --exe full/prog $form run/*.wm)" holder
	like "$form: not by itself" "$(wm-analyze -q $form run/*.wm)" 'prog\+0x'
done
wm-analyze -q --exe full/prog --html page.html run/*.wm
like "the page" "$("$SRC/tests/tools/page-data" page.html)" '"holder"'
is "a static variable has its name" "$(json '[r["name"] for s in j["sections"]
	for r in s["rows"] if r["bytes"] == 311108]' --static-report \
	--exe full/prog run/*.wm)" "['table']"

# ---- two runs ----

gcc -g -O1 -o bin/second two.c
cp bin/second full/second
strip bin/second
WM_DIR=run2 wm-run bin/second
is "--compare: a file for each" "$(wm-analyze -q --compare \
	--exe full/prog --exe full/second run/*.wm run2/*.wm |
	grep -o -e holder -e impostor | sort -u | tr '\n' ' ')" "holder impostor "
is "--compare: each run needs its own" "$(wm-analyze -q --compare \
	--exe full/prog run/*.wm run2/*.wm 2>&1 >/dev/null |
	grep -c "full/prog: its build-id is .* of the traced '.*/bin/second'")" 1

# ---- libraries ----

lib_of() { # FUNCTION
	cat <<X
#include <stdlib.h>
void *volatile lib_keep;
static __attribute__((noinline)) void $1(void)
{
	lib_keep = malloc(4242);
}
void lib_hold(void) { $1(); }
X
}
lib_of keeper >lib.c
lib_of liar >liar.c
echo 'void lib_hold(void); int main(void) { lib_hold(); return 0; }' >use.c
mkdir lib full/lib
gcc -g -O1 -shared -fPIC -o full/lib/libhold.so lib.c
gcc -g -O1 -shared -fPIC -o full/lib/libliar.so liar.c
cp full/lib/libhold.so lib/
gcc -g -O1 -o bin/use use.c -Llib -lhold -Wl,-rpath,"$PWD/lib"
rm -rf run
WM_DIR=run wm-run bin/use
lib_good="('keeper', 'lib.c', 5)"
lib_none="('?? (libhold.so', '-', 0)"
lid=$(build_id full/lib/libhold.so)
is "a library in its place" "$(held run/*.wm)" "$lib_good"
cp full/lib/libliar.so lib/libhold.so
is "another build of it gives no names" "$(held run/*.wm)" "$lib_none"
is "nor does it in any form" "$(wm-analyze -q --tree run/*.wm | grep -c liar)" 0
is "that is no loss of numbers" "$(status wm-analyze --functions run/*.wm)" 0
like "one remark tells it" "$(told run/*.wm)" "'.*/lib/libhold.so' \
\(build-id $lid\) is of another build here than in the run: functions have no \
names; $ways"
is "--exe finds the library by its build-id" \
	"$(held --exe full/lib/libhold.so run/*.wm)" "$lib_good"
is "--exe NAME=FILE" "$(held --exe libhold.so=full/lib/libhold.so run/*.wm)" \
	"$lib_good"
refused "--exe NAME=FILE of another build" "--exe full/lib/libliar.so: its \
build-id is $(build_id full/lib/libliar.so), that of the traced \
'$PWD/lib/libhold.so' is $lid: names would be wrong; --any-build uses the \
file anyway" --functions --exe libhold.so=full/lib/libliar.so
is "insisting on it" "$(held --any-build \
	--exe libhold.so=full/lib/libliar.so run/*.wm)" "('liar', 'liar.c', 5)"
is "a directory of libraries" "$(held --debug-dir full/lib run/*.wm)" \
	"$lib_good"
is "several files" "$(held --exe bin/use --exe full/lib/libhold.so run/*.wm)" \
	"$lib_good"
rm lib/libhold.so
is "a library that is gone" "$(held run/*.wm)" "$lib_none"
like "it is told" "$(told run/*.wm)" "lib/libhold.so' \(build-id $lid\) is not \
here: functions have no names; $ways"
is "and a directory" "$(held --debug-dir full/lib run/*.wm)" "$lib_good"
(cd full/lib && objcopy --only-keep-debug libhold.so libhold.debug)
strip full/lib/libhold.so -o lib/libhold.so
like "a library that is stripped" "$(told run/*.wm)" "libhold.so' \(build-id \
$lid\) is stripped: functions have no names; $ways"
objcopy --add-gnu-debuglink=full/lib/libhold.debug lib/libhold.so
mkdir lib/.debug
cp full/lib/libhold.debug lib/.debug/
is "its debug link" "$(held run/*.wm)" "$lib_good"

# ---- variables, members and locals ----

. "$SRC/tests/access-lib.sh"
gcc -g -O0 -fsanitize=thread -c -o locals.o "$progs/names/locals.c"
access_link dynamic gcc bin/locals locals.o
cp bin/locals full/locals
objcopy --only-keep-debug full/locals locals.debug
strip bin/locals
objcopy --add-gnu-debuglink=locals.debug bin/locals
rm -rf run
WM_ACCESS_LOCALS=on WM_DIR=run bin/locals >out
variables() { # ARGUMENT...
	wm-analyze -q --accesses --csv --top all "$@" run/*
}
for by in variable member; do
	variables --by $by --exe full/locals >want
	like "locals --by $by" "$(cat want)" 'stale::old'
	like "static variables --by $by" "$(cat want)" 'want'
	is "stripped, --by $by: none of them" \
		"$(variables --by $by | grep -c -e stale -e want)" 0
	cp locals.debug bin/
	is "debug link, --by $by" "$(variables --by $by)" "$(cat want)"
	rm bin/locals.debug
	cp other bin/different
	mv bin/locals bin/kept
	mv bin/different bin/locals
	is "another build in its place, --by $by" \
		"$(variables --by $by --exe full/locals)" "$(cat want)"
	is "none of its variables, --by $by" \
		"$(variables --by $by 2>/dev/null | grep -c -e stale -e want)" 0
	mv bin/kept bin/locals
done

# ---- what two programs have in common (dwz) ----

if command -v dwz >/dev/null; then
	python3 - >head.h <<'X'
print("#include <stdlib.h>")
for i in range(1, 60):
    print(f"struct a_rather_long_structure_{i} {{ int a_rather_long_member_{i};"
          f"struct a_rather_long_structure_{max(i - 1, 1)} *next; }};")
print("static inline __attribute__((always_inline)) void *from_the_header("
      "size_t n)\n{\n\tstruct a_rather_long_structure_59 *x = malloc(n);\n"
      "\treturn x;\n}")
X
	for p in three four; do
		cat >$p.c <<X
#include "head.h"
void *volatile keep;
__attribute__((noinline)) void holder(void) { keep = from_the_header(77777); }
int main(void) { holder(); return 0; }
X
		gcc -g -O1 -o bin/$p $p.c
	done
	dwz -m common -M "$PWD/common" bin/three bin/four
	objcopy --only-keep-debug bin/three bin/three.debug
	strip bin/three
	objcopy --add-gnu-debuglink=bin/three.debug bin/three
	rm -rf run
	WM_DIR=run wm-run bin/three
	inlined="('from_the_header', 'head.h', "
	like "dwz: where it is linked" "$(held run/*.wm)" "\\${inlined}"
	mkdir -p there/.dwz
	mv common there/.dwz/
	is "dwz: not there" "$(held run/*.wm | grep -c from_the_header)" 0
	like "dwz: in .dwz" "$(held --debug-dir there run/*.wm)" "\\${inlined}"
	dw=$(build_id there/.dwz/common)
	mkdir -p "there/.build-id/${dw:0:2}"
	mv there/.dwz/common "there/.build-id/${dw:0:2}/${dw:2}.debug"
	like "dwz: by its build-id" "$(held --debug-dir there run/*.wm)" \
		"\\${inlined}"
else
	skip "dwz" "it is missing (package dwz)"
fi
done_testing
