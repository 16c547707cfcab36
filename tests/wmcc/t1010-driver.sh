# SPDX-License-Identifier: Apache-2.0
# Forms of command lines: every one makes the same program as the compiler
# alone, and the twin; what is no link makes nothing but what it made before.
# run: quick
. "$(dirname "$0")/../lib.sh" wmcc-lib
export WM_CC=gcc
sources
bring link/two_files/two.c link/two_files/main.c
gcc -c main.c two.c
gcc -c hello.c

# DESCRIPTION PROGRAM ARGUMENTS: run in a folder of their own
form() {
	local what=$1 name=$2
	shift 2
	rm -rf ref new
	mkdir ref new
	(cd ref && gcc "$@" >../ref.out 2>&1)
	(cd new && wmcc "$@" >../new.out 2>&1)
	is "$what: status" $? 0
	ok "$what: same program" same "ref/$name" "new/$name"
	is "$what: same output" "$(cat new.out)" "$(cat ref.out)"
	ok "$what: twin" traced "./new/$name.wm"
	is "$what: nothing else" "$(ls -A new)" \
		"$( (ls -A ref; echo "$name.wm") | sort)"
}
form "two objects" app ../main.o ../two.o -o app
form "-o first" app -o app ../main.o ../two.o
form "-oapp" app -oapp ../main.o ../two.o
form "no -o" a.out ../main.o ../two.o
form "compile and link" app ../main.c ../two.c -o app
form "-static twice" app -static -static ../main.o ../two.o -o app
form "libraries first" app -lpthread -lm ../main.o ../two.o -o app
form "a map of the user" app -static ../hello.o -o app -Wl,-Map,app.map
form "a map with =" app ../hello.o -o app -Wl,-Map=app.map
form "a printed map" app ../hello.o -o app -Wl,--print-map
form "cross references" app ../hello.o -o app -Wl,--cref
form "traced files" app ../hello.o -o app -Wl,-t
form "a dependency file" app ../hello.o -o app -Wl,--dependency-file=app.d
form "no build-id" app -static ../hello.o -o app -Wl,--build-id=none
form "gc sections" app -static ../hello.o -o app -Wl,--gc-sections
form "fatal warnings" app ../hello.o -o app -Wl,--fatal-warnings
form "library group" app -static -o app -Wl,--start-group ../hello.o -lm \
	-Wl,--end-group
form "-Xlinker" app ../hello.o -Xlinker -Map -Xlinker m -o app
form "save-temps of LTO" app -flto -save-temps ../hello.c -o app
for f in app.res app.ltrans_args app.lto_wrapper_args app.ltrans0.ltrans.s; do
	is "save-temps of LTO: the twin left $f alone" \
		"$(sed 's/[0-9a-f]\{12,16\}/ID/' new/$f)" \
		"$(sed 's/[0-9a-f]\{12,16\}/ID/' ref/$f)"
done
mkdir "a b,c'd"
form "odd characters" "a b,c'd" ../hello.o -o "a b,c'd"
printf -- "../main.o\n'../two.o' -o\napp -static" >args
form "@file" app @../args
printf '@../args' >nested
form "@file in @file" app @../nested
printf -- '../hello.o -o "x y"' >args
form "@file with quotes" "x y" @../args

wmcc -x c - -o stdin <hello.c
ok "source from stdin" traced ./stdin.wm
WM_CC="gcc -O2" wmcc hello.c -o words
gcc -O2 hello.c -o words.ref
ok "a compiler of two words" same words words.ref
ok "a compiler of two words: twin" traced ./words.wm
WM_CC="'$(command -v gcc)' '-DX=a b'" wmcc hello.c -o quoted
ok "a compiler with quotes" traced ./quoted.wm

# build-id: the twin always has one, of its own
wmcc -static hello.o -o id -Wl,--build-id=none
like "the twin has a build-id" "$(readelf -n id.wm)" 'Build ID'
wmcc -static hello.o -o id
ok "the twin's build-id is its own" test \
	"$(readelf -n id | grep Build.ID)" != "$(readelf -n id.wm | grep Build.ID)"
like "--eh-frame-hdr" "$(readelf -lW id.wm)" GNU_EH_FRAME
wmcc -static -s hello.o -o stripped
like "a stripped program's twin has symbols" "$(nm stripped.wm)" ' T main$'
is "a census is embedded" \
	"$(readelf -SW id.wm | grep -c '\.wm_census')" 1
# of any length: the linker does not fill up a last note of 5 bytes
wmcc -static hello.o -o odd -Wl,--build-id=0xabcdef0123
rm -rf odd.d
WM_DIR=odd.d ./odd.wm >odd.out
is "a build-id of 5 bytes is that of the census, too" \
	"$(wm-analyze -q --json odd.d/* 2>/dev/null |
		jq '.static.bytes > 0')" true
wmcc -static hello.o -o odd -Wl,--build-id=0x$(printf 'ab%.0s' {1..80}) 2>err
is "a build-id of 80 bytes is left out: it is said" "$? $(cat err)" \
	"0 wmcc: warning: 'odd.wm': its build-id of 80 bytes is left out, as it has more than 64: another build of it is not recognized"
rm -rf odd.d
WM_DIR=odd.d ./odd.wm >odd.out
is "and the census is used" "$(wm-analyze -q --json odd.d/* 2>/dev/null |
	jq '.static.bytes > 0')" true

# not a link
for flags in -c -S -E -fsyntax-only -M; do
	rm -rf out && mkdir out
	(cd out && wmcc $flags ../hello.c >../out.new 2>&1)
	is "$flags: status" $? 0
	ok "$flags: no twin" test -z "$(find out -name '*.wm')"
done
ok "-dumpmachine" test "$(wmcc -dumpmachine)" = "$(gcc -dumpmachine)"
ok "--version" test "$(wmcc --version)" = "$(gcc --version)"
like "-print-prog-name=ld gives the shim" "$(wmcc -print-prog-name=ld)" \
	'/libexec/wmtools/ld$'

# called directly, as libtool does
rm -rf direct && mkdir direct
ld=$(wmcc -print-prog-name=ld)
is "the shim is a linker" "$("$ld" -v)" "$(ld -v)"
"$ld" -r main.o two.o -o direct/both.o
ok "direct -r" test -f direct/both.o
crt=$(gcc -print-file-name=crt1.o) crti=$(gcc -print-file-name=crti.o)
crtn=$(gcc -print-file-name=crtn.o) lib=$(dirname "$(gcc -print-libgcc-file-name)")
"$ld" -static -o direct/app "$crt" "$crti" hello.o -L"$lib" \
	-L"$(dirname "$crt")" --start-group -lc -lgcc -lgcc_eh --end-group "$crtn"
is "direct link" $? 0
ok "direct link: twin" traced ./direct/app.wm

# probes
cp hello.c conftest.c
wmcc conftest.c -o conftest
ok "no twin for conftest" test -f conftest -a ! -e conftest.wm
wmcc conftest.c
ok "no twin for conftest.c without -o" test -f a.out -a ! -e a.out.wm
wmcc hello.c -o cmTC_1234
ok "no twin for cmTC_*" test -f cmTC_1234 -a ! -e cmTC_1234.wm
wmcc -fsanitize=address hello.c -o san 2>/dev/null
ok "no twin with a sanitizer" test -f san -a ! -e san.wm
wmcc hello.c -o /dev/null
ok "no twin for /dev/null" test ! -e /dev/null.wm

# environment
WM_DISABLE=1 wmcc hello.c -o disabled
ok "WM_DISABLE=1" test -f disabled -a ! -e disabled.wm
WM_DISABLE=0 wmcc hello.c -o enabled
ok "WM_DISABLE=0" test -f enabled -a -f enabled.wm
WM_DISABLE=off WMCC_ACCESS=no wmcc hello.c -o off
ok "WM_DISABLE=off, WMCC_ACCESS=no" test -f off.wm -a ! -e off.wma
like "WM_DISABLE=maybe is off, and that is said" \
	"$(WM_DISABLE=maybe wmcc hello.c -o maybe 2>&1; ls maybe.wm)" \
	"WM_DISABLE='maybe' is neither on nor off: off is taken"
WM_LINK=only wmcc -static hello.c -o only
ok "WM_LINK=only: no second file" test ! -e only.wm
ok "WM_LINK=only: traced" traced ./only
like "WM_LINK=only: census" "$(readelf -SW only)" wm_census
WM_LINK=odd wmcc hello.c -o odd 2>err
is "a bad WM_LINK: one line" "$(wc -l <err)" 1
like "a bad WM_LINK: says so" "$(cat err)" "^wmcc: warning: WM_LINK='odd'"
ok "a bad WM_LINK: twin" test -f odd.wm
COMPILER_PATH=/nowhere:/tmp wmcc -v hello.c -o cp 2>err
like "the user's COMPILER_PATH is kept" "$(grep ^COMPILER_PATH err)" \
	'libexec/wmtools/:/nowhere|libexec/wmtools.*/tmp/'
WM_CC=wmcc wmcc hello.c -o loop 2>err
is "WM_CC=wmcc: status" $? 127
like "WM_CC=wmcc: message" "$(cat err)" '^wmcc: error: .*WM_CC'
is "WM_CC=wmcc: one line" "$(wc -l <err)" 1
WM_CC=/nowhere/cc wmcc hello.c -o none 2>err
is "no such compiler: status" $? 127
like "no such compiler: message" "$(cat err)" '/nowhere/cc.*WM_CC'
WM_CC=/nowhere/cc wmcc -c hello.c 2>err
is "no such compiler, -c: status" $? 127

# personalities
for name in wmcc wmcxx wmc++ wmf90 wmfc wm-gfortran; do
	ok "$name is there" "$name" --wm-version
done
is "wmcc -show" "$(WM_CC='gcc -m64' wmcc -show -c a.c)" "gcc -m64 -c a.c"
is "wmcxx -show" "$(WM_CXX=g++ wmcxx -show)" "g++"
is "wmf90 -showme" "$(WM_FC=gfortran wmf90 -showme)" "gfortran"
like "-show of a link" "$(wmcc -show -static hello.o -o x)" \
	'# twin: gcc .*wm-static.o.*--wrap=malloc.*-o x.wm'
ok "-show runs nothing" test ! -e x
if have mpicc "libopenmpi-dev or libmpich-dev" "mpicc -show"; then
	is "-show through an MPI wrapper" "$(WM_CC=mpicc wmcc -show)" \
		"$(mpicc -show)"
fi
like "--wm-help" "$(wmcc --wm-help)" WM_LINK

# wm-config
gcc -static $(wm-config --static --pre-ld-flags) hello.o \
	$(wm-config --static --post-ld-flags) -o conf-static
ok "wm-config --static" traced ./conf-static
gcc $(wm-config --pre-ld-flags) hello.o $(wm-config --post-ld-flags) \
	-o conf-dynamic
ok "wm-config, dynamic" traced ./conf-dynamic
ok "wm-config --libdir" test -f "$(wm-config --libdir)/wm-static.o"
is "wm-config --version" "wmtools $(wm-config --version)" "$(wmcc --wm-version)"
wm-config --nonsense 2>/dev/null
is "wm-config: unknown option" $? 127
# a second C library in a static program
cat >load.c <<'X'
#include <dlfcn.h>
int main(int n, char **v)
{
	return !dlopen(n > 1 ? v[1] : 0, RTLD_NOW);
}
X
warned() { # COMMAND...: lines about dlopen
	"$@" 2>&1 | grep -c '^wmcc: .*static and calls dlopen: .*not traced$'
}
for ld in bfd gold lld mold; do
	if ! command -v ld.$ld >/dev/null; then
		skip "static dlopen is warned of, $ld" "ld.$ld is missing"
		continue
	fi
	is "static dlopen is warned of, $ld" \
		"$(warned wmcc -static -fuse-ld=$ld load.c -o load -ldl)" 1
	is "not of OpenMP, $ld" \
		"$(warned wmcc -static -fuse-ld=$ld -fopenmp \
		"$progs/link/omp.c" -o omp)" 0
	is "not when only libc calls it, $ld" \
		"$(warned wmcc -static -fuse-ld=$ld "$progs/link/libc_loads.c" \
		-o names)" 0
done
cat >device.c <<'X'
int main(void)
{
	int n = 0;
#pragma omp target map(tofrom : n)
	n++;
	return n - 1;
}
X
is "of OpenMP that runs code on devices" \
	"$(warned wmcc -static -fopenmp device.c -o device)" 1
is "a stripped program, too" "$(warned wmcc -static -s load.c -o load -ldl)" 1
is "a dynamic dlopen is fine" "$(warned wmcc load.c -o load -ldl)" 0
is "nothing is left over" "$(leftovers)" ""
done_testing
