# SPDX-License-Identifier: Apache-2.0
# The library that reads traces: numbers counted by hand, a real run, damage,
# C++ and a shared object.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib
lib="$BUILD/lib/wmtools"
reader() { # COMPILER OUTPUT FLAG...: with the header as installed
	"$1" -I"$lib/include" -o "$2" "${@:3}" "$lib/libwmreader.a" -llzma
}
ok "a program is linked with the library" \
	reader "${CC:-gcc}" reader "$SRC/tests/progs/report/reader.c"

# Peak: 100 + 50 + 20; the pages of a stack are no requested memory.
run app.1.wm <<'E'
program app
elf app
id 1
rank 3 of 4
t 1000 malloc 0x1000 100 main<make
t 2000 malloc 0x2000 50 main<solve<other
t 2000 malloc 0x5000 20 main<make
t 2500 stack 0x7f0000000000 65536 main<go
t 3000 free 0x1000
t 4000 malloc 0x8000 5 main<solve<late
end
E
is "changes of a trace, in order" \
	"$(./reader app.1.wm/rank-000003.wmt.xz | head -n 1)" \
	"rank 3 of 4 app ended 1 peak 170 end 75 gains 4"
is "the call path of the largest block, the innermost frame first" \
	"$(./reader app.1.wm/rank-000003.wmt.xz | grep -c '^module 0x')" 2

is "a file that is no trace is refused" "$(./reader "$0" | grep -c '^not opened: .')" 1
is "so is one that is not there" "$(./reader nothing | grep -c '^not opened: .*nothing')" 1

wmcc -g -o life "$SRC/tests/progs/life.c" || exit 1
WM_RUN_ID=2 ./life.wm >/dev/null
like "a real run, as wm-analyze reads it" "$(./reader life.2.wm/rank-*.wmt.xz)" \
	"ended 1 peak $(json 'j["heap"]["peak"]["max"]' life.2.wm) end 0 gains 1000"
cp life.2.wm/rank-*.wmt.xz cut.xz
truncate -s -40 cut.xz
like "a trace without its end" "$(./reader cut.xz)" "ended 0 peak 64"

cp "$SRC/tests/progs/report/reader.c" reader.cc
ok "C++ includes the header" reader "${CXX:-g++}" readerxx reader.cc
"${CC:-gcc}" -shared -o reader.so -Wl,--whole-archive "$lib/libwmreader.a" \
	-Wl,--no-whole-archive -llzma || exit 1
is "a shared object of it is loaded" "$(python3 -c 'import ctypes
r = ctypes.CDLL("./reader.so")
r.wm_reader_family.restype = ctypes.c_char_p
print(r.wm_reader_family(0).decode())')" heap
is "it gives nothing but its functions" \
	"$(nm -g --defined-only "$lib/libwmreader.a" | grep ' [^ ] ' | grep -vc ' T wm_reader_')" 0
done_testing
