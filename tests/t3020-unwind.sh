# SPDX-License-Identifier: Apache-2.0
# The table unwinder and libunwind give the same call path, event by event:
# WM_UNWIND=check counts what both took and what differed.
# run: long
. "$(dirname "$0")/lib.sh"
progs=$SRC/tests/progs
dump=$SRC/tests/tools/wmt-dump
command -v python3 >/dev/null || skip_all "python3 is missing"

# same NAME AT-LEAST COMMAND...: no difference in that many paths
same() {
	local name=$1 least=$2 checked=0 differed=0 f c d
	shift 2
	rm -rf run
	mkdir run
	WM_DIR=run WM_UNWIND=check timeout 120 "$@" >out 2>err
	for f in run/*/rank-*.wmt.xz; do
		read -r c d <<<"$("$dump" --summary "$f" |
			jq -r '.info | "\(.checked) \(.differed)"')"
		checked=$((checked + c)) differed=$((differed + d))
	done
	is "$name: no path differs" "$differed" 0
	is "$name: most events were walked by the table" \
		"$((checked >= least))" 1
}

cat >flow.cpp <<'X'
// Odd control flow, allocating everywhere: longjmp, exceptions, alternate
// signal stacks, coroutines, frames of varying size, realigned stacks.
#include <alloca.h>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <sys/mman.h>
#include <ucontext.h>
#include <vector>
static unsigned seed = 1;
static unsigned rnd()
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	return seed ^= seed << 5;
}
static volatile long sink;
static void touch()
{
	void *p = std::malloc(rnd() % 300 + 1);
	sink = sink + reinterpret_cast<long>(p);
	std::free(p);
}
static jmp_buf top;
__attribute__((noinline)) static void jump(int d)
{
	touch();
	if (d == 0)
		longjmp(top, 1);
	jump(d - 1);
	touch();
}
__attribute__((noinline)) static void thrower(int d)
{
	std::string s(rnd() % 64, 'x');
	touch();
	if (d == 0)
		throw 1;
	thrower(d - 1);
	touch();
}
__attribute__((noinline)) static void varying(int d)
{
	char *p = static_cast<char *>(alloca(rnd() % 777 + 1));
	std::memset(p, 0, 8);
	touch();
	if (d)
		varying(d - 1);
	touch();
	sink = sink + p[0];
}
struct alignas(64) wide {
	char b[640];
};
__attribute__((noinline)) static void realigned(int d)
{
	wide x;
	std::memset(&x, d, sizeof(x));
	touch();
	if (d)
		realigned(d - 1);
	touch();
	sink = sink + x.b[1];
}
__attribute__((noinline)) static void mix(int d)
{
	switch (rnd() % 5) {
	case 0:
		varying(d & 3);
		break;
	case 1:
		realigned(d & 3);
		break;
	case 2:
		touch();
		break;
	case 3: {
		std::map<int, std::string> m;
		for (int i = 0; i < 4; i++)
			m[int(rnd() % 99)] = std::string(rnd() % 50, 'y');
		break;
	}
	default: {
		std::vector<int> v;
		for (int i = 0; i < 20; i++)
			v.push_back(i);
	}
	}
	if (d)
		mix(d - 1);
	touch();
}
static void handler(int)
{
	mix(3);
}
static ucontext_t here, there[4];
static int turn;
static void coroutine()
{
	for (;;) {
		mix(int(rnd() % 4));
		swapcontext(&there[turn], &here);
	}
}
static void fresh(int i)
{
	void *p = mmap(nullptr, 1 << 17, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	getcontext(&there[i]);
	there[i].uc_stack.ss_sp = p;
	there[i].uc_stack.ss_size = 1 << 17;
	there[i].uc_link = &here;
	makecontext(&there[i], coroutine, 0);
}
int main()
{
	stack_t ss = {};
	ss.ss_sp = std::malloc(1 << 17);
	ss.ss_size = 1 << 17;
	sigaltstack(&ss, nullptr);
	struct sigaction sa = {};
	sa.sa_handler = handler;
	sa.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR1, &sa, nullptr);
	for (int i = 0; i < 4; i++)
		fresh(i);
	for (int i = 0; i < 4000; i++) {
		switch (rnd() % 6) {
		case 0:
			if (!setjmp(top))
				jump(int(rnd() % 9));
			break;
		case 1:
			try {
				thrower(int(rnd() % 9));
			} catch (int) {
				touch();
			}
			break;
		case 2:
			mix(int(rnd() % 8));
			break;
		case 3:
			turn = int(rnd() % 4);
			swapcontext(&here, &there[turn]);
			if (rnd() % 20 == 0) {
				munmap(there[turn].uc_stack.ss_sp, 1 << 17);
				fresh(turn);
			}
			break;
		case 4:
			if (rnd() % 3 == 0)
				raise(SIGUSR1);
			break;
		default:
			varying(int(rnd() % 5));
		}
	}
}
X
for flags in "-O2" "-O0" "-O2 -fno-omit-frame-pointer" "-O3 -mavx2"; do
	# shellcheck disable=SC2086
	wmcxx $flags -g -static -o flow flow.cpp 2>build.log
	same "odd control flow, $flags" 5000 ./flow.wm
done
if command -v clang++ >/dev/null; then
	WM_CXX=clang++ wmcxx -O2 -static -o flow flow.cpp 2>build.log
	same "odd control flow, clang" 5000 ./flow.wm
else
	skip "odd control flow, clang" "package clang is missing"
fi
wmcxx -O2 -static -o mesh "$progs/mesh.cpp"
same "C++ exceptions" 50000 ./mesh.wm
wmcc -O1 -fno-builtin -static -pthread -o threads "$progs/threads.c"
same "400 threads" 80000 ./threads.wm
wmcc -O1 -fno-builtin -static -pthread -o paths "$progs/paths.c"
same "131,072 paths" 262144 ./paths.wm
wmcc -O1 -fno-builtin -static -o deep "$progs/deep.c"
same "10,000 frames" 1 ./deep.wm
kinds=("-O2" "-O2 -static")
[ -z "${WM_LONG:-}" ] || kinds=("-O2 -fPIE -static-pie" "-O0 -static" "${kinds[@]}")
for flags in "${kinds[@]}"; do
	# shellcheck disable=SC2086
	wmcc $flags -fno-builtin -pthread -o walks "$progs/walks.c"
	same "stacks of all kinds, $flags" 40000 ./walks.wm
done
# what WM_UNWIND=check does not go through: the paths of late are remembered
if [ -n "${WM_LONG:-}" ]; then
	for u in table libunwind; do
		rm -rf run
		mkdir run
		WM_DIR=run WM_UNWIND=$u ./walks.wm
		"$dump" run/*/rank-*.wmt.xz |
			awk '$3 == "MALLOC" {$2 = $4 = ""; print}' | sort >$u.paths
	done
	is "stacks of all kinds, without check: the paths of libunwind" \
		"$(wc -l <table.paths) $(cksum <table.paths)" \
		"$(wc -l <libunwind.paths) $(cksum <libunwind.paths)"
fi
wmcc -O1 -fno-builtin -static -o jump "$progs/jump.c" "$progs/jump_alloc.c"
same "events left by longjmp" 20000 ./jump.wm
cat >matmul.f90 <<'X'
! libgfortran's matmul has AVX variants with realigned stacks
program matmul_avx
  implicit none
  real(8), allocatable :: a(:, :), b(:, :), c(:, :)
  integer :: n
  do n = 2, 120
     allocate (a(n, n), b(n, n))
     a = n
     b = 1
     c = matmul(a, b)
     c = matmul(transpose(a), c)
     deallocate (a, b)
  end do
  print *, c(1, 1)
end program
X
wmf90 -O2 -g -static -o matmul matmul.f90
same "Fortran, AVX matmul" 500 ./matmul.wm
for kind in -static-pie -pie; do
	wmcxx -O2 -fPIE $kind -o mesh "$progs/mesh.cpp"
	same "C++ exceptions, $kind" 50000 ./mesh.wm
done
# ---- frame pointers ----
wmcc -O1 -fno-builtin -fno-omit-frame-pointer -fno-optimize-sibling-calls \
	-static -o garbage "$progs/garbage.c"
for u in table fp; do
	rm -rf run
	mkdir run
	is "anything in the frame pointer, WM_UNWIND=$u" \
		"$(WM_DIR=run WM_UNWIND=$u ./garbage.wm) $?" "515 0"
	"$dump" run/*/rank-*.wmt.xz | awk '$3 == "MALLOC" && $5 == 777' |
		cut -d' ' -f6- >$u.path
done
is "fp: the innermost 200 frames are those of the table" \
	"$(cut -d' ' -f-203 fp.path)" "$(cut -d' ' -f-203 table.path)"
is "fp: and they are 200" "$(($(wc -w <fp.path) >= 203))" 1
for flags in "-O2 -fno-omit-frame-pointer" "-O2 -fomit-frame-pointer"; do
	# shellcheck disable=SC2086
	wmcxx $flags -g -static -o flow flow.cpp 2>build.log
	rm -rf run
	mkdir run
	for u in table fp; do
		WM_DIR=run WM_NAME=$u WM_UNWIND=$u ./flow.wm || echo "died"
		wm-analyze --json run/$u.*/rank-*.wmt.xz |
			jq -c '[.events, .heap.per_rank[0].peak_bytes]' >$u.sums
	done
	is "fp: odd control flow, $flags" "$(cat fp.sums)" "$(cat table.sums)"
done
done_testing
