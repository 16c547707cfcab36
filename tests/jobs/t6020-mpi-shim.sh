# SPDX-License-Identifier: Apache-2.0
# The MPI shim: every spelling that the libraries have, and sessions.
. "$(dirname "$0")/../lib.sh" python3
mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null) || mpi=

# ---- spellings: the libraries themselves say what there is ----
names='init|init_thread|session_init|finalize|abort'
names="$names|alloc_mem(_cptr)?|free_mem|win_allocate(_cptr)?"
names="$names|win_allocate_shared(_cptr)?|win_free"
for list in LAST MADE NAMED FREED ENDING; do
	names="$names$(printf '%s\n' '#include "wm/handle_list.h"' \
		'#define LAST(x, class, number, Name, NAME, name, n) ~name' \
		'#define MADE(x, class, number, Name, NAME, name, n, at) ~name' \
		'#define NAMED(x, class, number, Name, NAME, name, n, at, l) ~name' \
		'#define FREED(x, class, Name, NAME, name) ~name' \
		'#define ENDING(x, Name, NAME, name, n, many) ~name' \
		"WM_HANDLE_$list($list, )" | cc -E -P -I"$SRC/include" - |
		tr -d ' \n' | tr '~' '|')"
done
spellings() { # LIBRARY: names of functions that the shim should know
	case $1 in
	*.a) nm --defined-only "$1" ;;
	*) nm -D --defined-only "$1" ;;
	esac 2>/dev/null | awk 'NF == 3 {print $3}' |
		grep -iE "^mpi_($names)(_c|_|__|_f|_[a-z_]*f08[a-z_]*)?$" |
		grep -vi -e info_create_env -e test_cancelled | sort -u
}
nm -g --defined-only "$BUILD/lib/wmtools/wm-mpi-dynamic.o" \
	"$BUILD/lib/wmtools/wm-handles-dynamic.o" |
	awk 'NF == 3 {print $3}' | sort -u >known
found=0
for lib in ${mpi:+"$mpi"/lib/libmpi*.a} /usr/lib/*/libmpi.so \
		/usr/lib/*/libmpi_mpifh.so /usr/lib/*/libmpi_usempi*.so \
		/usr/lib/*/libmpich.so /usr/lib/*/libmpichfort.so; do
	[ -e "$lib" ] || continue
	spellings "$lib" >has
	# the module of Open MPI with type-bound interfaces has none of its own
	[ -s has ] || continue
	found=$((found + 1))
	is "$(basename "$lib"): all of $(wc -l <has) spellings are known" \
		"$(comm -23 has known 2>&1 | tr '\n' ' ')" ""
done
[ $found -gt 0 ] || skip "spellings" "there is no MPI library here"

# ---- sessions ----
# session NAME WANTED COMMAND...: rank/ranks of the traces of one directory
session() {
	local name=$1 wanted=$2 f
	shift 2
	rm -rf run
	mkdir run
	WM_DIR=run timeout 100 "$@" >out 2>err </dev/null
	is "$name: works as ever, says nothing" "$? $(grep -c ranks out) $(
		grep -c wmtrace err)" "0 1 0"
	is "$name: ranks, all complete" "$(for f in run/*.wm/rank-*; do
		"$dump" --summary "$f" | jq -r '"\(.info.rank)/\(.info.ranks
			) \(.complete)"'
	done | tr '\n' ';')" "$wanted"
	is "$name: one directory" "$(ls run | wc -l)" 1
}
two="0/2 true;1/2 true;"
if [ -n "$mpi" ]; then
	run=("$mpi/bin/mpiexec" -n 2)
	for w in 0 1 2; do
		ok "session, world $w: builds" env WM_CC="$mpi/bin/mpicc" wmcc \
			-static -DWORLD=$w -o session$w "$progs/mpi/session.c"
		session "session, world $w" "$two" "${run[@]}" ./session$w.wm
	done
	is "rank 1 has its block" "$("$dump" run/*/rank-000001.wmt.xz |
		awk '$3 == "MALLOC" && $5 == 6000 {n++} END {print n + 0}')" 1
	session "a session without a launcher is a job of one" "0/1 true;" \
		./session0.wm
	session "session, then world, under an unknown launcher" "$two" \
		"${run[@]}" env -u MPI_LOCALRANKID ./session1.wm
	# a killed one: the trace has begun
	ok "a session that is killed: builds" env WM_CC="$mpi/bin/mpicc" wmcc \
		-static -fno-builtin -o stay "$progs/mpi/session_killed.c"
	rm -rf run && mkdir run
	WM_DIR=run timeout 60 ./stay.wm 2>/dev/null
	is "a session that is killed: its trace had begun" \
		"$(cd run/*.wm && ls rank-000000.wmt.xz)" rank-000000.wmt.xz
	ok "Fortran session builds" env WM_FC="$mpi/bin/mpifort" wmf90 -static \
		-o fsession "$progs/mpi/session.f90"
	is "Fortran session: wrapped" "$(nm fsession.wm |
		grep -c ' T __wrap_mpi_session_init_f08_$')" 1
else
	skip "sessions" "static MPICH is missing: scripts/setup --mpi"
fi

if command -v mpicc.mpich >/dev/null; then
	ok "dynamic session: builds" env WM_CC=mpicc.mpich wmcc -DWORLD=0 \
		-o dsession "$progs/mpi/session.c"
	session "dynamic session" "$two" mpiexec.mpich -n 2 ./dsession.wm
else
	skip "dynamic sessions" "package libmpich-dev is missing"
fi

# ---- what a wrapped call costs in dynamic programs ----
if command -v valgrind >/dev/null && ! has_sanitizers; then
	cat >calls.c <<'X'
#include <stdlib.h>
#include <string.h>
#include <wm/wmtrace.h>
int MPI_Init(int *c, char ***v);
int MPI_Finalize(void);
int MPI_Op_create(void *f, int commute, int *op);
int MPI_Op_free(int *op);
int MPI_Ibarrier(int comm, int *request);
int MPI_Wait(int *request, void *status);
int main(int argc, char **argv)
{
	int n = 2 * atoi(argv[1]), op = 0;

	MPI_Init(&argc, &argv);
	if (strcmp(argv[2], "paused") == 0)
		wm_pause();
	while (n--)
		if (strcmp(argv[2], "requests") == 0)
			n & 1 ? MPI_Ibarrier(0, &op) : MPI_Wait(&op, NULL);
		else if (n & 1)
			MPI_Op_create(NULL, 1, &op);
		else
			MPI_Op_free(&op);
	return MPI_Finalize();
}
X
	count() { # PAIRS WHAT
		rm -rf cost
		# stored: how often time ends a block does not count
		WM_COMPRESS=store WM_DIR=cost valgrind --tool=callgrind \
			--callgrind-out-file=cg ./calls.wm "$@" 2>&1 |
			awk '/Collected/ {print $4}'
	}
	gcc -shared -fPIC -Wl,-soname,libmpich.so.12 -o libmpich.so.12 \
		"$progs/mpi/stub.c"
	WM_CC=gcc wmcc -O1 -g -I"$SRC/include" -o calls calls.c libmpich.so.12 -Wl,-rpath,"$W"
	for what in handles requests; do
		few=$(count 1000 $what) many=$(count 2000 $what)
		echo "# $what: $(((many - few) / 2000)) instructions a call"
		# a look-up each time takes 2,000 or more beside it
		ok "$what: a call takes at most 1,500 instructions" \
			test $(((many - few) / 2000)) -le 1500
	done
	is "requests that end are not in the trace" "$("$dump" cost/*.wm/rank* |
		grep -c MPI_)" 0
	WM_DIR=pause ./calls.wm 7 paused
	is "pauses leave out no memory" "$(wm-analyze -q --json pause/*.wm |
		jq '.paused.ranks, .paused.allocations' | xargs)" "1 0"
else
	skip "what a call costs" "valgrind is missing: scripts/setup"
fi
# ---- requests that are open ----
if command -v gcc >/dev/null; then
	bring mpi/requests.c
	gcc -shared -fPIC -Wl,-soname,libmpich.so.12 -o libmpich.so.12 \
		"$progs/mpi/stub.c"
	ok "requests: builds" env WM_CC=gcc wmcc -O1 -g -fno-inline -pthread \
		-o requests requests.c libmpich.so.12 -Wl,-rpath,"$W"
	# open_ones MODE: by function, how many, and whether they grow
	open_ones() {
		rm -rf open && WM_DIR=open timeout 60 ./requests.wm "$1"
		wm-analyze -q --leaks --json open/*.wm | jq -c '[.never_freed.sites[] |
			select(.handles) | [.name, .handles, .made_by]]'
	}
	is "requests: more than there is room for" "$(open_ones many)" \
		'[["keep_many",3,"MPI_Ibarrier"]]'
	# a thread that stands still for a 16th of the run has its request in
	# the trace: it may end in place of another one with the same handle
	is "requests: of threads" "$(open_ones threads |
		jq -c '[([.[][1]] | add)] + (max_by(.[1]) | [.[0], .[2]])')" \
		'[20,"keep_in_thread","MPI_Ibarrier"]'
	is "requests: at places that others had" "$(open_ones places)" \
		'[["keep_one",50,"MPI_Ibarrier"]]'
	is "requests: some each step" "$(open_ones steps)" \
		'[["keep_one",60,"MPI_Ibarrier"]]'
	is "requests: which grow" "$(wm-analyze -q --leaks --json open/*.wm |
		jq -c '[.never_freed.sites[] | .growth]')" '["grows"]'
	is "requests: page faults of calls that are given many" \
		"$(WM_DIR=lists timeout 60 ./requests.wm lists)" few
	is "requests: the gate" "$(wm-analyze -q --fail-on leaks open/*.wm \
		>out 2>&1; echo $?)" 1
fi
done_testing
