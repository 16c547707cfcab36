# SPDX-License-Identifier: Apache-2.0
# A library that writes a jump over mmap and munmap, as UCX does when MPI starts:
# in a program with MPI its hook runs as without us, and every mapping is
# recorded, as are the blocks of the hook.  Where the hook gets our functions,
# each report says so.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/wmcc-lib.sh"
command -v jq >/dev/null || skip_all "jq is missing"
command -v mpicc.mpich >/dev/null || skip_all "MPICH is missing"
command -v python3 >/dev/null || skip_all "python3 is missing"
progs=$SRC/tests/progs/runtime
dump=$SRC/tests/tools/wmt-dump

gcc -O1 -fPIC -shared -o libpatcher.so "$progs/patcher.c"
# libc comes before it in the order of search, so RTLD_NEXT finds nothing
gcc -O1 -fPIC -shared -o libmapper.so -x c - -L. -lpatcher <<'X'
#include <sys/mman.h>
void *map_in_library(size_t n)
{
	return mmap(0, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
X
# a library without versions
gcc -O1 -fPIC -shared -nostdlib -o libplain.so -x c - <<'X'
#include <sys/mman.h>
void *map_in_library(size_t n)
{
	return mmap(0, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
X

# counts: maps, and their bytes that are live at the end; blocks of 10,003 bytes;
# events without a partner
counts() {
	"$dump" run/*/rank-000000.wmt.xz | awk '
		$3 == "MAP" && $5 == 1048576 {maps++}
		$3 == "UNMAP" && $5 == 1048576 {unmaps++}
		$3 == "MALLOC" && $5 == 10003 {blocks++}
		END {print maps + 0, unmaps + 0, blocks + 0}'
	wm-analyze --json run/* 2>/dev/null | jq -r '
		"\(.families.mapped.peak) \(.run.complete)"' 2>&1
}

# traced WHAT COMMAND...
traced() {
	local what=$1
	shift
	rm -rf run
	is "$what: the hook runs as without us" "$(WM_DIR=run timeout 20 "$@" 2>&1)" 155
	is "$what: all is recorded" "$(counts | paste -sd' ')" \
		"110 50 155 63963136 true"
}

build() { # LIBRARY FLAGS...
	local library=$1
	shift
	rm -f app app.wm
	WM_CC=mpicc.mpich wmcc -O1 -g -o app "$progs/patched.c" "$@" -L. -Wl,--no-as-needed -lc \
		"-l$library" -lpatcher -Wl,-rpath,"$PWD"
}

for ld in bfd gold lld mold; do
	have "ld.$ld" "$ld" "$ld" || continue
	ok "$ld: builds" build mapper -fuse-ld=$ld
	traced "$ld" ./app.wm
done
ok "a library without versions: builds" build plain
traced "a library without versions" ./app.wm

# wm-run does the same in memory, in programs with MPI.
for library in mapper plain; do
	mpicc.mpich -O1 -g -o app "$progs/patched.c" -L. -Wl,--no-as-needed -lc \
		-l$library -lpatcher -Wl,-rpath,"$PWD"
	traced "wm-run, $library" wm-run ./app
done

# a program's own function stays what dlsym() finds
cat >own.c <<'X'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <sys/mman.h>
int munmap(void *p, size_t n) { return p && n ? 7 : 8; }
int main(void)
{
	int up;

	MPI_Initialized(&up);
	printf("%d\n", dlsym(RTLD_DEFAULT, "munmap") == (void *)munmap);
	return munmap("", 1) != 7;
}
X
ok "own munmap: builds" env WM_CC=mpicc.mpich wmcc -O1 -rdynamic -o own own.c -ldl
is "own munmap: dlsym finds it" "$(WM_DIR=run ./own.wm 2>&1) $(./own)" "1 1"

# without MPI dlsym() finds ours, and calls of what it found are recorded
cat >asks.c <<'X'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/mman.h>
int main(void)
{
	__typeof__(&mmap) map = (__typeof__(&mmap))dlsym(RTLD_DEFAULT, "mmap");

	for (int i = 0; i < 10; i++)
		map(0, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return 0;
}
X
ok "by dlsym: builds" wmcc -O1 -o asks asks.c -ldl
for run in ./asks.wm "wm-run ./asks"; do
	rm -rf run
	WM_DIR=run $run
	is "by dlsym: $run" "$(counts | head -n 1)" "10 0 0"
done

# Where the hook overwrites our functions: their calls are not recorded.
status() {
	"$@" >/dev/null 2>&1
	echo $?
}
said() { # WHAT DIRECTORY
	like "$1: the note" "$(wm-analyze "$2" 2>&1 >/dev/null)" \
		"mappings are missing in 1 of 1 ranks, .* overwritten mmap, munmap.*HOOK_MODE=none"
	is "$1: status" "$(status wm-analyze "$2")" 4
	like "$1: the summary has it" "$(wm-analyze -q "$2")" "overwritten mmap, munmap"
	like "$1: what to ask for" "$(wm-analyze -q "$2")" "Ask for at least"
	is "$1: JSON" "$(wm-analyze --json "$2" 2>/dev/null | jq -r '
		"\(.run.complete) \([.run.notes[] | select(test("overwritten mmap, munmap"))] | length)"')" \
		"false 1"
	wm-analyze --html page.html "$2" 2>/dev/null
	ok "$1: the page" grep -q "overwritten mmap, munmap" page.html
	rm -rf packed
	wm-analyze -q --repack --output packed "$2" >/dev/null 2>&1
	like "$1: repacked" "$(wm-analyze packed/* 2>&1)" "overwritten mmap, munmap"
}
gcc -O1 -g -DWITHOUT_MPI -o plain "$progs/patched.c" -L. -Wl,--no-as-needed -lc \
	-lmapper -lpatcher -Wl,-rpath,"$PWD"
wmcc -O1 -g -DWITHOUT_MPI -o linked "$progs/patched.c" -L. -Wl,--no-as-needed -lc \
	-lmapper -lpatcher -Wl,-rpath,"$PWD"
for run in "wm-run ./plain" ./linked.wm; do
	rm -rf run
	is "$run: the hook runs as without us" \
		"$(WM_SUMMARY=1 WM_DIR=run timeout 20 $run 2>said)" 155
	said "$run" run/*
	like "$run: the table of WM_SUMMARY" "$(cat said)" "not all mappings recorded"
done
rm -rf run
libs=$(wm-config --mpi --libs)
# shellcheck disable=SC2086 # a list of words
mpicc.mpich -O1 -g -o killed "$progs/patched.c" $libs -L. -Wl,--no-as-needed -lc \
	-lmapper -lpatcher -Wl,-rpath,"$PWD"
WM_DIR=run timeout 20 ./killed kill >/dev/null 2>&1
like "killed: the note" "$(wm-analyze run/* 2>&1)" "overwritten mmap, munmap"

# Debian's MPICH has UCX, whose hook stands before main.
cat >maps.c <<'X'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <sys/mman.h>
#ifdef OWN
int munmap(void *p, size_t n)
{
	return ((int (*)(void *, size_t))dlsym(RTLD_NEXT, "munmap"))(p, n);
}
#endif
int main(int argc, char **argv)
{
	int r = MPI_Init(&argc, &argv);

	for (int i = 0; i < 10; i++) {
		void *p = mmap(0, 1 << 20, PROT_READ,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (i < 5)
			munmap(p, 1 << 20);
	}
	return r || MPI_Finalize();
}
X
# an interposer
gcc -O1 -fPIC -shared -o front.so -x c - <<'X'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/mman.h>
void *mmap(void *p, size_t n, int prot, int flags, int fd, off_t at)
{
	void *(*next)(void *, size_t, int, int, int, off_t) =
		(void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");

	return next(p, n, prot, flags, fd, at);
}
int munmap(void *p, size_t n)
{
	return ((int (*)(void *, size_t))dlsym(RTLD_NEXT, "munmap"))(p, n);
}
X
mpicc.mpich -O1 -o maps maps.c
mpicc.mpich -O1 -rdynamic -DOWN -o own-maps maps.c
# shellcheck disable=SC2086
mpicc.mpich -O1 -o config-maps maps.c $libs
# maps ENVIRONMENT COMMAND...: maps, unmaps, complete
maps() {
	rm -rf run
	env WM_DIR=run "$@" || echo failed
	echo "$(counts | head -n 1) $(wm-analyze --json run/* 2>/dev/null | jq .run.complete)"
}
front() { # COMMAND: its words, each a shell's
	echo "LD_PRELOAD=$PWD/front.so:\$LD_PRELOAD exec $*"
}
is "UCX" "$(maps wm-run ./maps)" "10 5 0 true"
is "UCX: status" "$(status wm-analyze run/*)" 0
is "UCX, an interposer behind us" \
	"$(maps LD_PRELOAD="$PWD/front.so" wm-run ./maps)" "10 5 0 true"
none=UCX_MEM_MMAP_HOOK_MODE=none
is "UCX without hooks" "$(maps $none wm-run ./maps)" "10 5 0 true"
is "UCX without hooks, an interposer before us" \
	"$(maps $none wm-run sh -c "$(front ./maps)")" "10 5 0 true"
is "UCX without hooks, one behind us" \
	"$(maps $none LD_PRELOAD="$PWD/front.so" wm-run ./maps)" "10 5 0 true"
is "UCX without hooks, the program has its own" \
	"$(maps $none wm-run ./own-maps)" "10 5 0 true"
if ldd maps | grep -q libucm; then
	maps ./config-maps >/dev/null
	said UCX run/*
	maps wm-run sh -c "$(front ./maps)" >/dev/null
	said "UCX, an interposer before us" run/*
fi

done_testing
