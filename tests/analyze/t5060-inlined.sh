# SPDX-License-Identifier: Apache-2.0
# Optimised programs: every function of the source is in the call paths, the
# site is the user's line, and names fit the terminal.
. "$(dirname "$0")/../lib.sh" analyze-lib

bring report/inlined/driver.hpp report/inlined/main.cc report/inlined/util.h
bring report/inlined/main.c

# path: the lines of the first call path, without what starts main()
path() {
	COLUMNS=80 wm-analyze --functions --top 1 "$@" 2>/dev/null |
		sed -nE '/ block(  .*)?$/,/^$/{/ block(  .*)?$/d;/^$/d;s/^ *//;p}'
}
sites() { # ARGUMENTS...: name, file and line of what holds 10000 bytes
	json '[(f["name"].split("(")[0], (f["file"] or "-").split("/")[-1],
		f["line"], f["bytes"]) for f in j["functions"]
		if 77777 <= f["bytes"] < 10**7 and f["name"][0] != "?"]' "$@"
}
for cxx in g++ clang++; do
	command -v $cxx >/dev/null || {
		skip "$cxx" "not installed"
		continue
	}
	for flags in "-O2 -static" "-O3 -static-pie -fPIE"; do
		rm -rf run
		WM_CXX=$cxx wmc++ -g $flags -o app main.cc 2>cc.err || {
			skip "$cxx $flags" "$(grep -m1 . cc.err)"
			continue
		}
		WM_DIR=run ./app.wm
		like "$cxx $flags: the sites" "$(sites run/*.wm)" \
			"^\[\('mini::driver', 'driver.hpp', 15, 2400000\), \('mini::matrix.*', 'driver.hpp', 10, 1000000\)\]$"
		is "$cxx $flags: the path" "$(path run/*.wm | sed 's/(.*)//')" \
			"$(printf 'mini::driver  driver.hpp:15  x\nmain  main.cc:8')"
		like "$cxx $flags: full names in JSON" "$(wm-analyze --json \
			run/*.wm)" '"mini::matrix<double, int, unsigned long>::matrix'
		rm -rf app.wm
		is "$cxx $flags: without the program" \
			"$(path run/*.wm | sed 's/(.*)//')" \
			"$(printf 'mini::driver  driver.hpp:15  x\nmain  main.cc:8')"
	done
done
for cc in gcc clang; do
	command -v $cc >/dev/null || {
		skip "$cc" "not installed"
		continue
	}
	for flags in "-O2 -static" -O2 "-O2 -flto -static"; do
		rm -rf run
		WM_CC=$cc wmcc -g $flags -o app main.c 2>cc.err || {
			skip "$cc $flags" "$(grep -m1 . cc.err)"
			continue
		}
		WM_DIR=run ./app.wm
		is "$cc $flags: the site" "$(sites run/*.wm)" \
			"[('take', 'util.h', 7, 77777)]"
		is "$cc $flags: the path" "$(path run/*.wm)" \
			"$(printf 'take  util.h:7  p\nsetup  main.c:8\nmain  main.c:13')"
	done
done

# A library, with names that only its own object knows.
bring report/inlined/lib.cc
echo 'void lib_hold(void); int main(void) { lib_hold(); return 0; }' >use.c
for cxx in g++ clang++; do
	rm -rf run
	$cxx -g -O2 -shared -fPIC -o libhold.so lib.cc 2>cc.err &&
		wmcc -g -o dyn use.c -L. -lhold -Wl,-rpath,"$PWD" 2>cc.err || {
		skip "$cxx: a library" "$(grep -m1 . cc.err)"
		continue
	}
	WM_DIR=run ./dyn.wm
	like "$cxx: a library: the site" "$(sites run/*.wm)" \
		"\('', 'lib.cc', 10, 240000\)|namespace\)::grid::grid"
	like "$cxx: a library: the path" "$(path run/*.wm | tr '\n' ';')" \
		'^\(anonymous namespace\)::grid::grid(\(int\))?  lib.cc:10;lib_hold  lib.cc:16;main  use.c:1;$'
done

# Without a bundle: under wm-run; debug information in the program, in files of
# their own (.dwo), in an archive of these (.dwp), or not there.
note() {
	wm-analyze run/*.wm 2>/dev/null | grep -c 'inlined functions have no names'
}
for cc in gcc clang; do
	for flags in "" -gdwarf-4 -gsplit-dwarf "-gsplit-dwarf -gdwarf-4"; do
		rm -rf run ./*.dwo
		$cc -g $flags -O2 -c -o main.o main.c && $cc -o run.app main.o
		WM_DIR=run wm-run ./run.app
		is "$cc $flags, wm-run: the site" "$(sites run/*.wm)" \
			"[('take', 'util.h', 7, 77777)]"
		is "$cc $flags, wm-run: the path" "$(path run/*.wm)" \
			"$(printf 'take  util.h:7\nsetup  main.c:8\nmain  main.c:13')"
		is "$cc $flags, wm-run: nothing is missing" "$(note)" 0
	done
	mv main.dwo away.dwo
	is "$cc: no .dwo: that is said" "$(note)" 1
	like "$cc: and what to do" "$(wm-analyze run/*.wm 2>/dev/null)" \
		"'main.dwo', which is not where .*; or link with wmcc"
	mkfifo main.dwo
	is "$cc: a pipe as .dwo is not waited for" "$(timeout 100 \
		wm-analyze run/*.wm | grep -c 'inlined functions have no names'
		)" 1
	is "$cc: nor by wmcc" "$(timeout 100 wmcc -static -o pipe main.o \
		2>&1; echo $?)" 0
	rm main.dwo
	if command -v dwp >/dev/null && mv away.dwo main.dwo &&
		dwp -e run.app -o run.app.dwp && rm main.dwo; then
		like "$cc: a .dwp is read, or it is said that it is not" \
			"$(sites run/*.wm) $(wm-analyze run/*.wm 2>/dev/null)" \
			"'take', 'util.h', 7|/run\.app\.dwp', which the elfutils"
		rm run.app.dwp
	fi
done

# Long names: short in text, whole in JSON.
bring report/inlined/long.cc
rm -rf run
wmc++ -g -O2 -static -o app long.cc
WM_DIR=run ./app.wm
is "a long name in text" "$(path run/*.wm | head -1)" \
	"assembler<...>::operator()  long.cc:10  keep"
like "a long name in JSON" "$(sites run/*.wm)" "operator', 'long.cc', 10"
like "all of it in JSON" "$(wm-analyze --json run/*.wm)" \
	'"assembler<triple<triple<double, int, long>, triple<float, short, char>, int> >::operator\(\)\(triple<.* const&, int\)"'

# Own frames: a wrapper between main() and what MPI or a user's function does.
bring report/inlined/own_frames.c
rm -rf run
wmcc -g -O1 -fno-optimize-sibling-calls -static -o app own_frames.c
WM_DIR=run ./app.wm
is "frames of wmtools are not shown" "$(path run/*.wm)" \
	"$(printf 'hold  own_frames.c:9  keep\nmain  own_frames.c:12')"
done_testing
