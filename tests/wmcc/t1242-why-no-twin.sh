# SPDX-License-Identifier: Apache-2.0
# Programs that can have no twin: one line says why, where no probe looks, and
# an old twin goes.  And sanitizers that leave malloc alone: they have twins.
. "$(dirname "$0")/../lib.sh" wmcc-lib
unset WM_CC
sources
gcc -O1 -c hello.c
echo 'int main(void) { return 0; }' >bare.c

# one_line WHAT REGEX: status 0, no twin, and one line that says it
one_line() {
	is "$1: status, lines" "$? $(wc -l <err)" "0 1"
	like "$1: why" "$(cat err)" "^wmcc: warning: 'app(\\.exe)?\\.wm' not made: $2"
	ok "$1: no old twin" test ! -e app.wm -a ! -e app.exe.wm
}

taken="a sanitizer takes the place of malloc: build it without -fsanitize"
for cc in gcc clang; do
	have $cc $cc "$cc: sanitizers" || continue
	export WM_CC=$cc
	for s in address thread leak; do
		$cc -fsanitize=$s hello.c -o ref 2>/dev/null ||
			{ skip "$cc $s" "no runtime"; continue; }
		wmcc hello.o -o app
		wmcc -fsanitize=$s hello.c -o app 2>err
		one_line "$cc $s" "$taken"
		ok "$cc $s: same program" same ref app
	done
	wmcc -fsanitize=address hello.c -o conftest >err 2>&1
	is "$cc: a probe: silent" "$? $(cat err)" "0 "
	TMPDIR=$W wmcc -fsanitize=address hello.c -o "$W/temp" >err 2>&1
	is "$cc: a temporary file: silent" "$? $(cat err)" "0 "
	WM_DISABLE=1 wmcc -fsanitize=address hello.c -o app >err 2>&1
	is "$cc: WM_DISABLE: silent" "$? $(cat err)" "0 "
	like "$cc: -show" "$(wmcc -show -fsanitize=address hello.c -o app)" \
		'^# no twin: a sanitizer'
	like "$cc: -show, undefined behaviour" \
		"$(wmcc -show -fsanitize=undefined hello.c -o app)" '^# twin: '
	WM_CC="$cc -fsanitize=address" wmcc hello.c -o app 2>err
	one_line "$cc: options in WM_CC" "$taken"
done
export WM_CC=gcc
wmcc -fsanitize=address -c hello.c -o asan.o
wmcc asan.o -lasan -o app 2>err
one_line "its library alone" "$taken"
printf '#!/bin/sh\nCOMPILER_PATH= exec gcc -B/usr/bin "$@"\n' >deaf
chmod +x deaf
WM_CC=./deaf wmcc -fsanitize=address asan.o -o app 2>err
one_line "a compiler that runs no linker of ours" "$taken"

# undefined behaviour: its runtime has nothing to do with malloc
for how in "gcc " "gcc -static" "gcc -static-libubsan" "clang " \
	"clang -fsanitize-minimal-runtime"; do
	flags="-fsanitize=undefined ${how#* }"
	${how%% *} $flags "$progs/link/overflow.c" -o ref 2>/dev/null ||
		{ skip "$how" "no runtime"; continue; }
	WM_CC=${how%% *} wmcc $flags "$progs/link/overflow.c" -o app >out 2>&1
	is "ubsan, $how: silent" "$? $(cat out)" "0 "
	ok "ubsan, $how: same program" same ref app
	out=$(traced ./app.wm)
	is "ubsan, $how: twin" "$?" 0
	like "ubsan, $how: runs" "$out" 'wrapped 1'
	like "ubsan, $how: finds the overflow" "$out" 'overflow'
	rm -f app app.wm
done

# ---- functions that the program brings itself ----
wrap="-w -fno-builtin -DWRAP -Wl,--wrap=malloc $progs/link/brings.c"
wmcc -static hello.o -o app
WM_CC=./deaf wmcc -w -fno-builtin -DWRAP -c "$progs/link/brings.c"
WM_CC=./deaf wmcc -static -Wl,--wrap=malloc brings.o -o app 2>err
one_line "--wrap=malloc, a compiler that runs no linker of ours" \
	"the program has a __wrap_malloc of its own, and this compiler does"
is_silent "--wrap=malloc, dynamic" wmcc $wrap -o app
like "--wrap=malloc, dynamic: twin" "$(traced ./app.wm)" '1 traces'
wmcc -w -fno-builtin "$progs/link/brings.c" -o app 2>err
one_line "its own realloc and free, dynamic" \
	"the program is linked dynamically and brings its own (realloc|free)"
wmcc hello.o -o app
wmcc -w -fno-builtin -DLEAVE "$progs/link/brings.c" -o app 2>err
one_line "its own _Exit, dynamic" \
	"the program is linked dynamically and brings its own _Exit"
wmcc hello.o -o app
wmcc $(wm-config --static --pre-ld-flags) hello.o -static \
	$(wm-config --static --post-ld-flags) -o app 2>err
one_line "the runtime is in it" "the runtime is in the program itself"

# ---- output that is no program of ours ----
# as a linker for Windows: the compiler adds .exe, the file is no ELF
mkdir windows
cat >windows/ld <<'END'
#!/bin/sh
while [ $# -gt 1 ]; do
	[ "$1" = -o ] && printf 'MZ not an ELF file' >"$2"
	shift
done
END
cat >windows/cc <<'END'
#!/bin/bash
for a; do [ "$last" = -o ] && a=$a.exe; set -- "$@" "$a"; last=$a; shift; done
exec gcc "$@"
END
cat >windows/deaf <<'END'
#!/bin/sh
COMPILER_PATH= exec ./windows/cc -B./windows "$@"
END
chmod +x windows/*
other="'app(\\.exe)?' is not an ELF file: the runtime is for x86-64 Linux"
wmcc hello.o -o app && wmcc -B./windows hello.o -o app 2>err
one_line "no ELF" "$other"
for how in hello.o hello.c; do
	rm -f app app.exe
	echo other >app.exe
	WM_CC=./windows/deaf wmcc $how -o app 2>err
	one_line "no ELF, app.exe of $how" "$other"
done
wmcc -B./windows hello.o -o conftest >err 2>&1
is "no ELF, a probe: silent" "$? $(cat err)" "0 "
wmcc -shared -B./windows hello.o -o app.dll >err 2>&1
is "no ELF, a library: silent" "$? $(cat err)" "0 "
wmcc -Wl,--oformat=binary -nostdlib -static bare.c \
	-Wl,-e,main -o app.bin >err 2>&1
is "bytes without a format were asked for: silent" "$? $(cat err)" "0 "
rm -f app app.exe
if gcc -m32 -nostdlib -static -Wl,-e,main bare.c -o ref 2>/dev/null; then
	wmcc -m32 -nostdlib -static -Wl,-e,main bare.c -o app 2>err
	one_line "a program of 32 bits" "the runtime is for x86-64 only"
	ok "a program of 32 bits: same program" same ref app
else
	skip "a program of 32 bits" "gcc -m32 does not work"
fi
WM_CC=./deaf wmcc -shared -fPIC hello.c -o libx.so >err 2>&1
is "a library of a deaf compiler: silent" "$? $(cat err)" "0 "

# ---- options of ld that must not matter, or are named ----
kept() { # FLAGS...: mallocs of 1234 bytes that the twin records
	rm -rf run app app.wm
	wmcc -O1 -fno-builtin "$@" kept.c -o app 2>err
	WM_DIR=run ./app.wm
	wm-analyze -q --json run/*.wm |
		jq -c '[.run.complete, .events.malloc > 0]'
}
echo '#include <stdlib.h>
int main(void) { return !malloc(1234); }' >kept.c
is "a static program that retains no symbol is traced" \
	"$(kept -static -Wl,--retain-symbols-file=/dev/null)" "[true,true]"
is "a program with a soname is traced" \
	"$(kept -pie -fPIE -Wl,-soname,x.so)" "[true,true]"
echo '#include <stdlib.h>
void *my_malloc(size_t n) { return calloc(1, n); }
int main(void) { return !malloc(1234); }' >defsym.c
wmcc -O1 -fno-builtin -static -Wl,--defsym=malloc=my_malloc defsym.c -o app \
	2>err
one_line "--defsym of a wrapped function" \
	"'--defsym=malloc=my_malloc' takes the place"
is "nothing is left over" "$(leftovers)" ""
done_testing
