# SPDX-License-Identifier: Apache-2.0
# Where names come from: the bundle in the run directory, the executable,
# shared libraries; and that no other build's are ever taken.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib

source_of() { # BYTES FUNCTION
	cat <<E
#include <stdlib.h>
void *volatile keep;
char table[$1 * 4];
__attribute__((noinline)) void $2(void)
{
	keep = malloc($1);
	table[0] = 1;
}
int main(void) { $2(); return 0; }
E
}
# held ARGUMENTS...: the function that holds the most, its file and line
held() {
	json '[(f["name"].split("+")[0], (f["file"] or "-").split("/")[-1],
		f["line"], f["bytes"]) for f in j["functions"]][0]' "$@"
}
mkdir bin
for kind in '-static' '-static-pie -fPIE' ''; do
	rm -rf run
	source_of 77777 holder >one.c
	ok "builds ($kind)" wmcc -g -O1 $kind -o bin/app one.c
	WM_DIR=run bin/app.wm
	is "function, file and line" "$(held run/*.wm)" \
		"('holder', 'one.c', 6, 77777)"
	mv bin/app.wm away
	is "on a machine without the program" "$(held run/*.wm)" \
		"('holder', 'one.c', 6, 77777)"
	is "static memory comes along" "$(json \
		'j["static"]["bss"] > 311108' run/*.wm)" True
	rm -rf run
	strip away -o bin/app.wm
	WM_DIR=run bin/app.wm
	is "of a stripped program" "$(held run/*.wm)" \
		"('holder', 'one.c', 6, 77777)"
done

rm -rf run
wmcc -g -O1 -static -o bin/app one.c
WM_DIR=run bin/app.wm
is "a shell may name the bundle among the traces" \
	"$(status wm-analyze run/*.wm/*)" 0
cp run/*.wm/program.wmc.xz good
rm run/*.wm/program.wmc.xz
is "without a bundle the program is asked" "$(held run/*.wm)" \
	"('holder', 'one.c', 6, 77777)"
cp bin/app.wm app.old
source_of 99 other >two.c
wmcc -g -O1 -static -o bin/app two.c
is "a program that was relinked since: answers from a part" \
	"$(status wm-analyze run/*.wm)" 4
like "it is named" "$(wm-analyze run/*.wm 2>&1 >/dev/null)" \
	"'.*bin/app.wm' is not the program that rank 0.* traced, but another build: "
is "its names are not taken" "$(held run/*.wm)" "('?? (app.wm', '-', 0, 77777)"
is "nor its static memory" "$(json 'j["static"]' run/*.wm)" None
is "one note is enough" "$(wm-analyze run/*.wm 2>&1 >/dev/null | wc -l)" 1
is "a static report would be another version's" \
	"$(status wm-analyze --static-report run/*.wm)" 3
is "the numbers stay" "$(json 'j["heap"]["peak"]["max"] > 77000,
	j["run"]["complete"]' run/*.wm)" "True True"
WM_DIR=run2 bin/app.wm
cp run2/*.wm/program.wmc.xz run/*.wm/
mv bin/app.wm gone
is "a bundle of another version in the run directory" \
	"$(status wm-analyze run/*.wm)" 4
like "it is named, too" "$(wm-analyze run/*.wm 2>&1 >/dev/null)" \
	'program.wmc.xz. is not the program that rank 0'
is "its names are not taken, either" "$(held run/*.wm)" \
	"('?? (app.wm', '-', 0, 77777)"
rm run/*.wm/program.wmc.xz
is "neither bundle nor program: only names are missing" \
	"$(status wm-analyze run/*.wm)" 0

# a program that was never relinked, neither then nor since
source_of 6 holder >plain.c
gcc -g -O1 -o plain plain.c
rm -rf changed
WM_DIR=changed wm-run ./plain
gcc -g -O1 -DANEW -o plain two.c
is "a program under wm-run that was built again: from a part" \
	"$(status wm-analyze changed/*.wm)" 4
like "it is said that it has changed" "$(wm-analyze changed/*.wm 2>&1 >/dev/null)" \
	"^wm-analyze: '.*/plain' has changed since the run \\(built again\\?\\): "
like "a remark says so" "$(wm-analyze run/*.wm 2>&1 >/dev/null)" 'has no names'
is_silent "a remark can be silenced" sh -c "wm-analyze -q run/*.wm >/dev/null"
head -c 300 good >"$(echo run/*.wm)/program.wmc.xz"
is "a damaged bundle: answers from a part" "$(status wm-analyze run/*.wm)" 4
like "its name is said" "$(wm-analyze run/*.wm 2>&1 >/dev/null)" \
	'program.wmc.xz'
like "static report of a run without census" \
	"$(rm run/*.wm/program.wmc.xz; wm-analyze --static-report run/*.wm 2>&1)" \
	'no census'
like "static report of a program" "$(wm-analyze --static-report gone)" table
like "static report of a run" "$(wm-analyze --static-report run2/*.wm)" table
is "static report of nothing" "$(status wm-analyze --static-report nowhere)" 3

# Two builds in one directory.
cp gone bin/app.wm
{
	echo "exe $PWD/bin/app.wm
build-id 1234
rank 0 of 1
t 1000010 malloc 0x1000 10 0x401010
end"
} | run mixed.1.wm
is "a trace of a build that nobody has" "$(status wm-analyze mixed.1.wm)" 4

# A shared library.
cat >lib.c <<'E'
#include <stdlib.h>
void *volatile lib_keep;
void lib_hold(void)
{
	lib_keep = malloc(4242);
}
E
echo 'void lib_hold(void); int main(void) { lib_hold(); return 0; }' >use.c
gcc -g -shared -fPIC -o libhold.so lib.c
rm -rf run
ok "a dynamic program with a library" wmcc -g -o bin/dyn use.c -L. -lhold \
	-Wl,-rpath,"$PWD"
WM_DIR=run bin/dyn.wm
is "a function of the library" "$(held run/*.wm)" "('lib_hold', 'lib.c', 5, 4242)"
gcc -g -shared -fPIC -O1 -DOTHER -o libhold.so lib.c -Wl,--build-id=0x11
is "another build of the library is not asked" "$(held run/*.wm)" \
	"('?? (libhold.so', '-', 0, 4242)"
rm libhold.so
is "nor one that is gone" "$(held run/*.wm)" "('?? (libhold.so', '-', 0, 4242)"

# a trace of a process without /proc, before AT_EXECFN was taken
"$BUILD/test/tools/wmt-make" old.1.wm <<'X'
program app
id 1
exe -
rank 0 of 1
t 2000 malloc 0x1000 100 0x400100
X
like "no path of the program: it is called so" "$(wm-analyze old.1.wm 2>&1)" \
	"^  the program has no names: "
is "no path of the program: nothing is called ''" \
	"$(wm-analyze old.1.wm 2>&1 | grep -c "''")" 0
done_testing
