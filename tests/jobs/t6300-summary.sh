# SPDX-License-Identifier: Apache-2.0
# WM_SUMMARY: the table at the end of a run.  About 40 s.  Its numbers are held
# against what programs themselves have from malloc_usable_size, and in MPI jobs
# against the requested bytes that tests/tools/wmt-dump finds in the traces.
# run: long
. "$(dirname "$0")/../lib.sh" mpi-lib launch-lib python3 jq

# size BYTES: as the table writes them
size() {
	local one=1 unit
	if [ "$1" -lt 1024 ]; then
		echo "$1 bytes"
		return
	fi
	for unit in KiB MiB GiB; do
		one=$((one * 1024))
		[ $(($1 / one)) -ge 1024 ] || break
	done
	set -- $((($1 * 10 + one / 2) / one))
	echo "$(($1 / 10)).$(($1 % 10)) $unit"
}

# cell NAME: the first number of that row
cell() {
	sed -n "s/^  $1  *\([0-9.]* [a-zA-Z]*\).*/\1/p" err
}

# has KIND NAME BYTES: does the row have that number?  A static program has
# 1,753 bytes more in 5 blocks, from before its constructors.
has() {
	local more
	[ "$1" = static ] && for ((more = 1753; more < 1753 + 5 * 24; more++)); do
		[ "$(cell "$2")" != "$(size $(($3 + more)))" ] || break
	done
	[ "$(cell "$2")" = "$(size $(($3 + ${more:-0})))" ] || {
		echo "# got: $(cell "$2"), wanted: $3 bytes"
		return 1
	}
}

# ---- a process without MPI ----
cat >mem.c <<'X'
/* mem BLOCKS: as many blocks of 50 bytes, 1,000,000 at once, freed; and
 * 2,000,000 bytes static. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile char fixed[2000000];
static void *p[1000000];
int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0, i;
	fixed[n % 7] = 1;
	for (i = 0; i < n; i++) {
		free(p[i % 1000000]);
		p[i % 1000000] = malloc(50);
	}
	for (i = 0; i < 1000000; i++)
		free(p[i]);
	if (argc > 2)
		close(2);
	return 0;
}
X
for kind in static dynamic; do
	flag=; [ $kind = static ] && flag=-static
	wmcc -O1 $flag -fno-builtin -o mem mem.c 2>/dev/null
	rm -rf run && mkdir run
	WM_DIR=run WM_SUMMARY=1 ./mem.wm 100000 >out 2>err
	is "$kind: status, nothing on stdout" "$? $(cat out)" "0 "
	ok "$kind: 100,000 blocks of 56 usable bytes" \
		has $kind high-water 5600000
	ok "$kind: none is left" has $kind "live at end" 0
	like "$kind: static memory" "$(grep '^  static' err)" \
		'^  static memory +9[.][56] MiB$'
	like "$kind: events" "$(cat err)" " 200,[0-9]{3} events in "
	is "$kind: the command to go on" "$(tail -n 1 err)" \
		"  wm-analyze $(cd run && pwd)/$(ls run)"
	is "$kind: not long" "$(($(wc -l <err) <= 15))" 1
	is "$kind: nothing is left beside the trace" \
		"$(ls run/*.wm | grep -v -e rank-000000.wmt.xz -e program.wmc.xz)" ""
	is_silent "$kind: silence without the variable" \
		env WM_DIR=run ./mem.wm 10
	is_silent "$kind: WM_QUIET wins" \
		env WM_DIR=run WM_QUIET=1 WM_SUMMARY=1 ./mem.wm 10
	is_silent "$kind: stderr closed by the program: nothing" \
		env WM_DIR=run WM_SUMMARY=1 ./mem.wm 10 x
	WM_DIR=/dev/null/x WM_SUMMARY=1 ./mem.wm 10 >out 2>err
	is "$kind: no directory: status" $? 0
	ok "$kind: no directory: a table" has $kind high-water 560
	WM_DIR=run WM_SUMMARY=1 WM_MAX_BYTES=64K ./mem.wm 1000000 2>err
	ok "$kind: a trace that is capped: no byte is missing" \
		has $kind high-water 56000000
	WM_DIR=run WM_SUMMARY=1 WM_SUMMARY_TIME=x WM_SUMMARY_MEMORY=1 \
		./mem.wm 10 2>err
	is "$kind: variables of former times: no harm, one line" \
		"$? $(grep -c WM_SUMMARY_ err)" "0 1"
	ok "$kind: variables of former times: a table" has $kind high-water 560

	# what the program counts itself, by malloc_usable_size
	wmcc -O1 $flag -fno-builtin -pthread -o usable "$progs/usable.c" \
		2>/dev/null
	WM_DIR=run WM_SUMMARY=1 ./usable.wm 0 x 2>err
	read -r live peak <err
	ok "$kind: the program's own sums: high-water" \
		has $kind high-water "$peak"
	ok "$kind: the program's own sums: live at the end" \
		has $kind "live at end" "$live"
	WM_DIR=run WM_SUMMARY=1 ./usable.wm 4 x 2>err
	read -r live peak <err
	is "$kind: 4 threads: what is live at the end" "$(python3 -c "
live = float('$(cell 'live at end')'.split()[0]) * 1024
print($live - 52 <= live <= $live + 8192)")" True
done

cat >own.c <<'X'
#include <stddef.h>
#include <unistd.h>
/* An allocator without malloc_usable_size. */
static _Alignas(16) char heap[1 << 20];
static size_t used;
void *malloc(size_t n)
{
	char *p = heap + used;

	used = (used + n + 16) & ~(size_t)15;
	return used > sizeof(heap) ? NULL : p;
}
void free(void *p) { (void)p; }
void *calloc(size_t n, size_t s) { return malloc(n * s); }
void *realloc(void *p, size_t n) { (void)p; return malloc(n); }
X
cat >call.c <<'X'
#include <stdlib.h>
int main(void)
{
	void *volatile p = malloc(1000);

	return p == NULL;
}
X
wmcc -O1 -fno-builtin -static -o own own.c call.c 2>/dev/null
WM_DIR=run WM_SUMMARY=1 ./own.wm 2>err
is "an allocator that cannot tell sizes: what is missing, and who has it" \
	"$? $(grep -A 1 -e known err | sed '/static/d; s/^ *//')" \
	"0 high-water        not known
live at end       not known
usable bytes not known: the allocator has no malloc_usable_size;
wm-analyze reports requested bytes"

cat >first.c <<'X'
/* The first block of all is freed when there are no others. */
#include <stdlib.h>
static void *volatile p;
__attribute__((constructor)) static void first(void)
{
	p = malloc(100000);
	free(p);
}
X
cat >none.c <<'X'
int main(void)
{
	return 0;
}
X
gcc -O1 -fno-builtin -shared -fPIC -o libfirst.so first.c
wmcc -o none none.c -Wl,--no-as-needed,-rpath,. -L. -lfirst 2>/dev/null
rm -rf run && mkdir run
like "the first block counts as usable, too" \
	"$(WM_DIR=run WM_SUMMARY=1 ./none.wm 2>&1 | grep '^  high')" \
	'^  high-water +9[789][.][0-9] KiB$'
cat >small.c <<'X'
/* The process ends in a handler on a stack of 4,096 bytes. */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
static void handler(int sig)
{
	_exit(sig == SIGUSR1 ? 7 : 8);
}
int main(void)
{
	char *m = mmap(NULL, 65536, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);
	stack_t st = { .ss_sp = m + 61440, .ss_size = 4096 };
	struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_ONSTACK };

	mprotect(m + 61440, 4096, PROT_READ | PROT_WRITE);
	for (size_t i = 0; i < 1000; i++)
		free(malloc(i));
	if (sigaltstack(&st, NULL) || sigaction(SIGUSR1, &sa, NULL))
		return 1;
	raise(SIGUSR1);
	return 2;
}
X
wmcc -O1 -static -fno-builtin -o small small.c 2>/dev/null
./small
case $? in
7)
	WM_DIR=run WM_SUMMARY=1 ./small.wm >out 2>&1
	is "the end in a handler on a small stack" \
		"$? $(grep -c '^wmtrace' out)" "7 1" ;;
*)
	skip "the end in a handler on a small stack" "no such stacks here" ;;
esac

# ---- MPI ----
# heap RUN TABLE: does the row have what the ranks requested of the heap, by an
# independent reader of the traces, and no more than what an allocator adds?
heap() {
	find "$1" -name 'rank-*.xz' | sort | while read -r f; do
		"$dump" --summary "$f" | jq -c \
			'[.info.rank // 0, .family_peaks.heap]'
	done >requested
	python3 - requested "$2" <<'X'
import json, re, sys
peak = dict(json.loads(line) for line in open(sys.argv[1]))
unit = {"bytes": 1, "KiB": 1024, "MiB": 2 ** 20}
row = re.search(r"^  high-water(.*)", open(sys.argv[2]).read(), re.M).group(1)
value = [float(v) * unit[u] for v, u in re.findall(r"([0-9.]+) (bytes|[KM]iB)",
                                                   row)]
ranks = [int(r) for r in re.findall(r"\((\d+)\)", row)]
high, low = max(peak.values()), min(peak.values())
mean = sum(peak.values()) / len(peak)
stddev = (sum((p - mean) ** 2 for p in peak.values()) / len(peak)) ** .5

def near(got, wanted):  # half of a digit is not shown
    return wanted - 200 <= got * 1.06 and got <= wanted * 1.1 + 9000

bad = [(g, w) for g, w in zip(value, (high, low, mean, stddev))
       if not near(g, w)]
if len(value) != 4 or peak.get(ranks[0]) != high or peak.get(ranks[1]) != low:
    bad.append((row, peak))
print(bad or "near")
X
}

# job NAME COMMAND...: a job of 4 ranks, each mallocs and finalizes
job() {
	local name=$1 status
	shift
	WM_SUMMARY=1 run "$@"
	status=$?
	is "$name: status" $status 0
	grep -A 20 '^wmtrace' err >table
	like "$name: one table, of 4 ranks" "$(grep '^wmtrace' err)" \
		'^wmtrace: [a-z]+, 4 ranks on 1 node, [0-9.]+ s$'
	is "$name: usable bytes are those that were requested, and a little" \
		"$(heap run/*.wm table)" near
	is "$name: no file is left" "$(find run -name '.summary*')" ""
	is "$name: traces as ever" \
		"$(wm-analyze --json run/*.wm | jq -c '[.run.ranks, .run.complete]')" \
		"[4,true]"
}

cat >rest.c <<'X'
/* Descriptors open after MPI_Finalize that were not before; and mappings that
 * another thread did not get meanwhile, when the limit left 26 MiB. */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
static volatile int stop, failed;
static void *keep[300000];
static void *work(void *arg)
{
	while (!stop) {
		void *p = mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		failed |= p == MAP_FAILED;
		if (p != MAP_FAILED)
			munmap(p, 4 << 20);
	}
	return arg;
}
static char was[2000];
static int is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}
int main(int argc, char **argv)
{
	int more = 0, provided;
	pthread_t t;
	struct rlimit l;
	long pages = 0;
	FILE *f;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	for (int i = 0; i < 300000; i++)
		keep[i] = malloc(16);
	pthread_create(&t, NULL, work, NULL);
	usleep(50000);
	f = fopen("/proc/self/statm", "r");
	if (!f || fscanf(f, "%ld", &pages) != 1)
		return 1;
	fclose(f);
	l.rlim_cur = l.rlim_max = (rlim_t)pages * 4096 + (26 << 20);
	setrlimit(RLIMIT_AS, &l);
	for (int i = 0; i < 2000; i++)
		was[i] = (char)is_open(i);
	MPI_Finalize();
	stop = 1;
	pthread_join(t, NULL);
	for (int i = 0; i < 2000; i++)
		more += is_open(i) && !was[i];
	printf("%d %d\n", more, failed);
	return 0;
}
X
bin=$(mpich_prefix) && {
	WM_CC=$bin/mpicc wmcc -g -static -fno-builtin -o final \
		"$progs/finalize.c" -lm 2>/dev/null
	job "static MPICH" "$bin/mpiexec" -n 4 ./final.wm
	is "node: the bounds are around what wm-analyze has" "$(python3 - \
		"$(wm-analyze --imbalance --json run/*.wm |
			jq '.imbalance.nodes[0].peak_bytes')" table <<'X'
import re, sys
requested = int(sys.argv[1]) / 2**20  # and the mapped 1,000 of each rank
row = re.search(r"worst node +([0-9.]+) MiB( to ([0-9.]+) MiB)? usable at "
                r"one time by 4 ranks on ", open(sys.argv[2]).read())
low = float(row.group(1)); high = float(row.group(3) or low)
# and the lower one is a sum: no rank has more than a third of the node's peak
print(low <= requested * 1.05 + .1 and requested <= high + .1 and
      high <= 2 * low)
X
)" True
	cat >turns.c <<'END'
/* Each rank in its turn has 50,000,000 bytes for 0.2 s: never two. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
static void *volatile p;
int main(int argc, char **argv)
{
	int r, n;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &r);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	for (int i = 0; i < n; i++) {
		if (i == r) {
			p = malloc(50000000);
			usleep(200000);
			free(p);
		}
		usleep(100000);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	return MPI_Finalize();
}
END
	WM_CC=$bin/mpicc wmcc -g -static -fno-builtin -o turns turns.c \
		2>/dev/null
	WM_SUMMARY=1 run "$bin/mpiexec" -n 3 ./turns.wm
	# and a few MiB of MPI's own in each
	like "node: ranks that take turns with 47.7 MiB never have 95" \
		"$(grep '^  worst node' err)" \
		'^  worst node +(4[89]|[5-7].)[.]. MiB( to [5-7].[.]. MiB)? usable at one time by 3 ranks'
	WM_DIR=run timeout 60 "$bin/mpiexec" -n 4 ./final.wm >out 2>&1
	is "without the variable: nothing" "$(cat out)" ""
	rm -rf run && mkdir run
	is "MPI_Finalize: result, errno, floating point as they were" \
		"$(WM_DIR=run WM_SUMMARY=1 timeout 60 "$bin/mpiexec" -n 2 \
			./final.wm state 2>/dev/null | sort -u)" "0 EDOM 0"
	WM_SUMMARY=1 run ./final.wm
	like "one rank, no launcher: a table" "$(cat err)" \
		'^wmtrace: final, [0-9.]+ s'

	WM_CC=$bin/mpicc wmcc -g -static -fno-builtin -o rest rest.c 2>/dev/null
	rm -rf run && mkdir run
	is "after MPI_Finalize: no descriptor, mappings below a limit meanwhile" \
		"$(WM_DIR=run WM_SUMMARY=1 timeout 60 ./rest.wm 2>/dev/null)" \
		"0 0"

	# whoever is not there is not waited for
	WM_SUMMARY=1 run "$bin/mpiexec" -n 3 ./final.wm : -n 2 ./final
	is "with ranks that are not traced: status, no wait" $? 0
	like "with ranks that are not traced: a table of the others" \
		"$(cat err)" '^wmtrace: final, 3 of 5 ranks on 1 node'
	WM_SUMMARY=1 run "$bin/mpiexec" -n 2 ./final : -n 3 ./final.wm
	is "rank 0 is not traced: one table" \
		"$(grep -c '^wmtrace: final, 3 of 5 ranks' err)" 1
	WM_SUMMARY=1 run "$bin/mpiexec" -n 4 ./final.wm late 4
	like "one rank is 4 s late: all are in the table" "$(cat err)" \
		'^wmtrace: final, 4 ranks on 1 node, [4-9][.]'
	rm -f pid
	WM_SUMMARY=1 run "$bin/mpiexec" -n 4 ./final.wm stop pid &
	job=$!
	soon eval 'grep -q "^State:.*stopped" "/proc/$(cat pid)/status"'
	soon eval '[ "$(grep -ao WTMSUM run/*.wm/.summary.part | wc -l)" = 3 ]'
	is "one rank is stopped: others have left their records" $? 0
	kill -CONT "$(cat pid)"
	wait $job
	is "one rank was stopped: status" $? 0
	like "one rank was stopped: all are in the table" "$(cat err)" \
		'^wmtrace: final, 4 ranks on 1 node'
	WM_SUMMARY=1 run "$bin/mpiexec" -n 4 ./final.wm die
	# hydra's own status, or that of a rank that misses the other
	like "one rank dies: the job ends as without us" $? '^(9|91)$'

	WM_RANKS=1,3 WM_SUMMARY=1 run "$bin/mpiexec" -n 4 ./final.wm
	like "WM_RANKS: one table, of those" "$(cat err)" \
		'^wmtrace: final, 2 of 4 ranks on 1 node'

	# directories of nodes: hydra's word for the ranks of one is changed
	nodes() { # NAME TRACES: a job; directories are node-0 and node-1
		rm -rf node-0 node-1
		WM_SUMMARY=1 timeout 60 "$bin/mpiexec" -n 4 sh -c '
			export MPI_LOCALNRANKS=2 WM_DIR=node-$((PMI_RANK / 2))
			mkdir -p $WM_DIR; exec ./final.wm' >out 2>err
		is "$1: status" $? 0
		is "$1: all traces" \
			"$(ls node-?/*.wm | grep -c '^rank-.*xz$')" "$2"
		is "$1: no file is left" \
			"$(find node-? -name '.summary*')" ""
	}
	nodes "two directories" 4
	is "two directories: one table" \
		"$(sed -n '/^wmtrace/s/,[^,]*$//p' err)" \
		"wmtrace: final, 2 of 4 ranks on 1 node"
	is "two directories: it says what it is" \
		"$(sed -n '2s/^ *//p' err)" "2 ranks are not in this \
directory; if WM_DIR is a node's own: wm-collect, then wm-analyze"
	is "two directories: that of rank 0" "$(tail -n 1 err)" \
		"  wm-analyze $(cd node-0 && pwd)/$(ls node-0)"
	export WM_RANKS=2-3
	nodes "two directories, WM_RANKS without rank 0" 2
	unset WM_RANKS
	is "two directories, WM_RANKS without rank 0: one table" \
		"$(sed -n '/^wmtrace/s/,[^,]*$//p' err) $(tail -n 1 err)" \
		"wmtrace: final, 2 of 4 ranks on 1 node   wm-analyze $(cd \
			node-1 && pwd)/$(ls node-1)"

	# several files: some ranks of 1,100, one by one, as Slurm tells them;
	# MPI thinks that each is alone
	cat >alone.c <<'END'
/* 100,000 bytes and 1,000 for each rank below. */
#include <mpi.h>
#include <stdlib.h>
static void *volatile p;
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	p = malloc(100000 + 1000 * strtoul(getenv("SLURM_PROCID"), 0, 10));
	return MPI_Finalize();
}
END
	WM_CC=$bin/mpicc wmcc -g -static -fno-builtin -o alone alone.c \
		2>/dev/null
	some() { # RANKS...: the last one prints, the files are there before
		local d
		rm -rf run
		for d in 000000 001024; do
			mkdir -p run/alone.7.0.wm/ranks-$d
			: >run/alone.7.0.wm/ranks-$d/.summary.part
		done
		for r; do
			WM_DIR=run WM_SUMMARY=1 SLURM_JOB_ID=7 SLURM_STEP_ID=0 \
				SLURM_STEP_NUM_TASKS=1100 SLURM_PROCID=$r \
				timeout 60 ./alone.wm
		done >out 2>err
	}
	some 1 1023 1024 1099 0
	is "1,100 ranks of which five come: a table" \
		"$(sed -n '/^wmtrace/s/,[^,]*$//p' err)" \
		"wmtrace: alone, 5 of 1,100 ranks on 1 node"
	is "1,100 ranks: usable bytes are those that were requested" \
		"$(heap run/*.wm err)" near
	like "1,100 ranks: the highest is in the second file" \
		"$(grep '^  high-water' err)" ' [(]1099[)] .* [(]0[)] '
	is "1,100 ranks: no file is left" "$(find run -name '.summary*')" ""
	export WM_RANKS=0,1000-1099
	some 1000 1099 0
	unset WM_RANKS
	like "1,100 ranks, WM_RANKS" "$(cat err)" \
		'^wmtrace: alone, 3 of 1,100 ranks on 1 node'

	# a file of a job that was killed
	rm -rf run && mkdir run
	export WM_RUN_ID=x
	WM_DIR=run WM_SUMMARY=1 timeout 60 "$bin/mpiexec" -n 4 ./final.wm \
		>/dev/null 2>&1
	head -c 4096 /dev/urandom >run/final.x.wm/.summary.part
	WM_DIR=run WM_SUMMARY=1 timeout 60 "$bin/mpiexec" -n 4 ./final.wm \
		>out 2>err
	unset WM_RUN_ID
	like "what lies in the directory does not count" "$(cat err)" \
		'^wmtrace: final, 4 ranks on 1 node'
} || skip "static MPICH" "scripts/setup --mpi"

cat >final.f90 <<'X'
program final
  use mpi
  implicit none
  integer :: e, r
  real(8), allocatable :: a(:)
  call mpi_init(e)
  call mpi_comm_rank(mpi_comm_world, r, e)
  allocate(a(100000 * (r + 1)))
  a = r
  if (sum(a) < 0) print *, 'never'
  deallocate(a)
  call mpi_finalize(e)
end program
X
bin=$(mpich_prefix) && {
	WM_FC=$bin/mpifort wmf90 -g -static -o ffinal final.f90 2>/dev/null
	job "static MPICH, Fortran" "$bin/mpiexec" -n 4 ./ffinal.wm
} || skip "static MPICH, Fortran" "scripts/setup --mpi"
if [ -n "${WM_LONG:-}" ]; then
	mpi=$("$SRC/scripts/setup" --print-prefix openmpi 2>/dev/null) && {
		WM_CC=$mpi/bin/mpicc wmcc -g -static -fno-builtin -o final \
			"$progs/finalize.c" -lm 2>/dev/null
		job "static Open MPI" "$mpi/bin/mpiexec" -n 4 ./final.wm
	} || skip "static Open MPI" "scripts/setup --all builds it"
fi
for f in mpich openmpi; do
	if ! command -v mpicc.$f >/dev/null; then
		skip "dynamic $f" "its package is missing"
		continue
	fi
	run="mpiexec.$f -n 4"
	WM_CC=mpicc.$f wmcc -g -fno-builtin -o final "$progs/finalize.c" -lm
	job "dynamic $f" $run ./final.wm
	job "dynamic $f, wm-run" $run wm-run ./final
	WM_FC=mpifort.$f wmf90 -g -o ffinal final.f90
	job "dynamic $f, Fortran" $run ./ffinal.wm
	WM_SUMMARY=1 run mpiexec.$f -n 3 ./final.wm : -n 2 ./final
	is "dynamic $f, with ranks that are not traced: status" $? 0
	like "dynamic $f, with ranks that are not traced: a table" \
		"$(cat err)" '^wmtrace: final, 3 of 5 ranks'
done
done_testing
