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
	# shellcheck disable=SC2086 # a list of words
	gcc $options -o app main.c next.c >out 2>&1 || {
		skip "$options" "$(head -n 1 out)"
		continue
	}
	rm -f app
	# shellcheck disable=SC2086
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
