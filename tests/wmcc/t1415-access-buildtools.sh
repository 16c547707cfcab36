# SPDX-License-Identifier: Apache-2.0
# app.wma by build tools, linkers and options that programs are built with: all
# that its own objects access is in the trace, and app is as ever.
. "$(dirname "$0")/../lib.sh"
dump=$BUILD/test/tools/access-dump
export WMCC_ACCESS=1 WM_DIR=run
unset WM_ACCESS_CACHE

cat >main.c <<'E'
#include <stdio.h>
int next(int i);
volatile int v[10];
int main(void)
{
	for (int i = 0; i < 10; i++)
		v[i] = next(i);
	printf("%d\n", v[9]);
	return 0;
}
E
cat >next.c <<'E'
static volatile int n[10];
int next(int i)
{
	n[i] = i;
	return n[i];
}
E

# recorded WHAT PROGRAM: it runs, and 11 loads and 20 stores of 4 bytes are seen
recorded() {
	rm -rf run
	is "$1: runs" "$(timeout 60 "$2" 2>&1)" 9
	is "$1: all is recorded" "$("$dump" run/*/rank-*.wmt.xz |
		awk '$5 == 4 {n[substr($3, 1, 1)]++}
			END {print n["r"], n["w"]}')" "11 20"
}

for options in -fuse-ld=gold -fuse-ld=lld -fuse-ld=mold -flto --coverage -pg \
	'-g -gsplit-dwarf' -fsanitize=undefined '-static -fuse-ld=gold' \
	'-static-pie' '-ffunction-sections -Wl,--gc-sections' -Wl,-s \
	-mcmodel=large -fprofile-generate -finstrument-functions -save-temps \
	'-fcf-protection=full -fstack-protector-all'; do
	rm -f app app.*
	gcc $options -o app main.c next.c >out 2>&1 || {
		skip "$options" "$(head -n 1 out)"
		continue
	}
	rm -f app
	ok "$options" wmcc -O1 $options -o app main.c next.c
	recorded "$options" ./app.wma
done

if command -v cmake >/dev/null; then
	cat >CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.10)
project(app C)
add_library(next STATIC next.c)
add_executable(app main.c)
target_link_libraries(app next)
E
	for compiler in wmcc 'ccache wmcc' 'wmcc of ccache gcc'; do
		case $compiler in
		*ccache*) command -v ccache >/dev/null || {
			skip "CMake, $compiler" "ccache is missing"
			continue
		} ;;
		esac
		export CCACHE_DIR=$PWD/ccache WM_CC=gcc
		[ "$compiler" = "${compiler#*of}" ] || WM_CC="ccache gcc"
		# what ccache knows is not compiled a second time
		for lap in 1 2; do
			rm -rf cm
			ok "CMake, $compiler, $lap: makes" sh -c \
				"CC='${compiler% of*}' cmake -B cm . && make -C cm"
			recorded "CMake, $compiler, $lap" cm/app.wma
		done
		unset WM_CC
	done
else
	skip "CMake" "cmake is missing: scripts/setup"
fi

# ---- response files ----
mkdir -p 'a folder'
cp next.c 'a folder/next.c'
printf -- '-O1 -o rsp main.c "a folder/next.c"\n' >all.rsp
ok "@FILE: compile and link" wmcc @all.rsp
recorded "@FILE: compile and link" ./rsp.wma
printf -- '-O1 -c main.c' >main.rsp
printf -- '-O1 -c "a folder/next.c" -o "a folder/next.o"' >next.rsp
ok "@FILE: compile" wmcc @main.rsp
ok "@FILE: compile, names with blanks" wmcc @next.rsp
printf '"a folder/next.o"\n' >inner.rsp
printf -- '-o rsp2\nmain.o @inner.rsp\n' >outer.rsp
ok "@FILE in @FILE: links" wmcc @outer.rsp
recorded "@FILE in @FILE" ./rsp2.wma
ok "-Wl,@FILE: links" wmcc -o rsp3 main.o -Wl,@inner.rsp
recorded "-Wl,@FILE" ./rsp3.wma
ar rc 'a folder/libnext.a' 'a folder/next.o'
printf -- '"-La folder" -lnext\n' >library.rsp
ok "an archive in @FILE: links" wmcc -static -o rsp4 main.o @library.rsp
recorded "an archive in @FILE" ./rsp4.wma

if command -v cmake >/dev/null && command -v ninja >/dev/null; then
	for how in 'Ninja -DCMAKE_NINJA_FORCE_RESPONSE_FILE=ON' \
		'Unix_Makefiles -DCMAKE_C_USE_RESPONSE_FILE_FOR_OBJECTS=ON
		-DCMAKE_C_USE_RESPONSE_FILE_FOR_INCLUDES=ON
		-DCMAKE_C_RESPONSE_FILE_LINK_FLAG=@'; do
		what="CMake, ${how%% *}, response files"
		set -- $how
		rm -rf cm
		ok "$what: makes" sh -c "CC=wmcc cmake -G '${1/_/ }' ${*:2} \
			-B cm . && cmake --build cm"
		recorded "$what" cm/app.wma
	done
else
	skip "CMake, response files" "cmake or ninja is missing: scripts/setup"
fi

if command -v libtool >/dev/null; then
	ok "libtool: makes" sh -e -c '
		libtool --tag=CC --mode=compile wmcc -O1 -c next.c
		libtool --tag=CC --mode=link wmcc -static -o libconv.la next.lo
		wmcc -O1 -c main.c
		libtool --tag=CC --mode=link wmcc -o lt main.o libconv.la'
	recorded libtool ./lt.wma
else
	skip "libtool" "libtool is missing: scripts/setup"
fi

if command -v meson >/dev/null && command -v ninja >/dev/null; then
	cat >meson.build <<'E'
project('app', 'c')
executable('app', 'main.c',
	link_with: static_library('next', 'next.c'))
E
	ok "meson: makes" sh -c "CC=wmcc meson setup me && ninja -C me"
	recorded meson me/app.wma
else
	skip "meson" "meson is missing: scripts/setup"
fi

if command -v musl-gcc >/dev/null; then
	ok "musl" env WM_CC=musl-gcc wmcc -O1 -static -o mu main.c next.c
	recorded musl ./mu.wma
else
	skip "musl" "musl-gcc is missing: scripts/setup"
fi
done_testing
