# SPDX-License-Identifier: Apache-2.0
# Requests that failed: how much, who asked, what was live then and in whose hands.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib wmcc-lib python3

run app.1.wm <<'X'
program app
elf app
id 1
rank 0 of 2
t 1000000 malloc 0x1000 3000 main<mesh
t 2000000 failed 70000 main<probe
t 3000000 malloc 0x4000 1000 main<mesh
t 4000000 malloc 0x5000 2000 main
t 5000000 failed 90000 main<grid
t 5100000 failed 80000 main<grid
t 6000000 free 0x4000
t 7000000 failed 4000000 main<MPI_Init
t 8000000 malloc 0x9000 10000 main
end
rank 1 of 2
t 1000000 malloc 0x1000 500 main
t 2000000 out 0x1000
t 2000000 failed 95000 main<grid
end
X
is "by call path: the program's first, then by size" "$(json '[(f["name"],
	f["path"], f["runtime"], f["bytes"], f["count"], f["ranks"], f["rank"],
	f["time_s"], f["live_bytes"], f["holder"], f["holder_bytes"])
	for f in j["failed_requests"]]' app.1.wm | sed 's/), /),\n/g')" \
	"[('grid', 'main;grid', None, 95000, 3, 2, 1, 0.001, 500, 'main', 500),
('probe', 'main;probe', None, 70000, 1, 1, 0, 0.001, 3000, 'mesh', 3000),
('MPI_Init', 'main;MPI_Init', 'mpi', 4000000, 1, 1, 0, 0.006, 5000, 'mesh', 3000)]"
is "the same by four threads" "$(json 'j["failed_requests"]' -j 4 app.1.wm)" \
	"$(json 'j["failed_requests"]' -j 1 app.1.wm)"
text=$(wm-analyze -q app.1.wm)
like "text: before the peaks" "$(sed '/high-water/,$d' <<<"$text")" \
	'^Requests for memory that failed: 5$'
like "text: the largest of a path" "$text" \
	'92\.8 KiB failed in grid < main, the largest of 3 in 2 ranks$'
like "text: when, and in whose hands" "$text" \
	'at 1\.000 ms of rank 1, when 500 bytes were live, of them 500 bytes in main$'
like "text: a runtime's" "$text" \
	'3\.8 MiB failed in MPI_Init < main; a runtime made the request, and may do without it$'
is "failed" "$(wm-analyze -q --fail-on failed app.1.wm 2>&1 >/dev/null; echo $?)" \
	"wm-analyze: --fail-on failed: 92.8 KiB could not be had, the largest request\
 of rank 1; in grid
1"
is "failed=SIZE: that of a runtime does not count" \
	"$(status wm-analyze --fail-on failed=95000 app.1.wm)" 0
is "failed=SIZE: exceeded" \
	"$(status wm-analyze --fail-on failed=94999 app.1.wm)" 1
run none.2.wm <<'X'
program none
elf none
rank 0 of 1
t 1000 malloc 0x1000 3000 main
end
X
is "none" "$(json 'j["failed_requests"]' none.2.wm)" "[]"
has_no "none: no heading" 'Requests' wm-analyze -q none.2.wm
is "none: the gate" "$(status wm-analyze --fail-on failed none.2.wm)" 0

# new[], mmap and realloc that get no memory, in one program
cat >fails.cc <<'X'
#include <cstdlib>
#include <new>
#include <sys/mman.h>
static double *mesh(size_t n) { return new double[n]; }
static void *table(size_t n)
{
	return mmap(0, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static void *grow(void *p, size_t n) { return realloc(p, n); }
/* these fail whatever memory there is */
static int wrong(size_t n)
{
	void *p;

	return posix_memalign(&p, 3, n) && mmap(0, n, PROT_READ, MAP_PRIVATE, -1,
						0) == MAP_FAILED;
}
int main()
{
	void *p = malloc(1000000);
	try { mesh(1000000000ul); } catch (std::bad_alloc &) { }
	int r = table(6000000000ul) == MAP_FAILED && !grow(p, 3000000000ul);
	free(p);
	return !(r && wrong(1000000));
}
X
if ok "a program of such" wmc++ -g -O1 -fno-inline -fno-builtin -o fails fails.cc &&
	ok "it runs" sh -c 'ulimit -v 2000000; ./fails.wm'; then
	is "new[], mmap, realloc; no wrong arguments" "$(json '[(f["name"].split("(")[0], f["bytes"],
		f["live_bytes"] >= 1000000) for f in j["failed_requests"]]' \
		fails.*.wm/)" "[('mesh', 8000000000, True),\
 ('table', 6000000000, True), ('grow', 3000000000, True)]"
fi
# refused for its place, or no memory: each is refused whatever memory there is
cat >placed.c <<'X'
#define _GNU_SOURCE
#include <sys/mman.h>
#ifndef MAP_32BIT
#define MAP_32BIT 0
#endif
#define G (1ul << 30)
static char *map(size_t n, int prot, int flags)
{
	return mmap(0, n, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
		    flags, -1, 0);
}
int main(void)
{
	char *p = map(G / 64, PROT_READ, 0);

	mmap(p + G / 128, G / 128, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS |
	     MAP_FIXED, -1, 0);
	if (mremap(p, G / 128, G / 64, 0) != MAP_FAILED)
		return 1;
	if (MAP_32BIT && map(3 * G, PROT_READ, MAP_32BIT) != MAP_FAILED)
		return 2;
	if (map(G << 17, PROT_NONE, 0) != MAP_FAILED)
		return 3;
	return map(G << 17, PROT_READ, 0) == MAP_FAILED ? 0 : 4;
}
X
if ok "a program of requests for a place, or without access" \
	wmcc -g -O1 -static -o placed placed.c &&
	ok "it runs, and is refused them" ./placed.wm; then
	is "these are no want of memory" "$(json '[f["bytes"] >> 30
		for f in j["failed_requests"]]' placed.*.wm/)" "[131072]"
fi
cat >fails.f90 <<'X'
program fails
  real(8), allocatable :: a(:)
  integer :: e
  call field(1000000000_8)
contains
  subroutine field(n)
    integer(8), intent(in) :: n
    allocate(a(n), stat=e)
  end subroutine
end program
X
if command -v gfortran >/dev/null &&
	ok "a program in Fortran" wmf90 -g -O0 -o ff fails.f90 &&
	ok "it runs, too" sh -c 'ulimit -v 2000000; ./ff.wm'; then
	is "ALLOCATE(stat=)" "$(json '[(f["line"], f["bytes"])
		for f in j["failed_requests"]]' ff.*.wm/)" "[(8, 8000000000)]"
fi
done_testing
