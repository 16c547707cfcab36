# SPDX-License-Identifier: Apache-2.0
# A library that writes a jump over mmap and munmap, as UCX does when MPI starts:
# in a program with MPI its hook runs as without us, and every mapping is
# recorded, as are the blocks of the hook.
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

done_testing
