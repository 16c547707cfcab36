# SPDX-License-Identifier: Apache-2.0
# WM_MPICC: the shim for an MPI that nobody knows, whose handles are neither
# integers nor addresses; and for those that are known.
. "$(dirname "$0")/lib.sh"
dump=$SRC/tests/tools/wmt-dump
command -v python3 >/dev/null || skip_all "python3 is missing"

mkdir own
cat >own/mpi.h <<'X'
/* Handles are floating-point numbers: they can be compared, as they must. */
#define MPI_VERSION 2
typedef double MPI_Comm, MPI_Errhandler, MPI_Info, MPI_Win;
typedef double MPI_Datatype;
#define MPI_COMM_WORLD 4.5
#define MPI_BYTE 5.5
#define MPI_ERRORS_RETURN 6.5
#define BOTH(name, args) int MPI_##name args; int P##MPI_##name args;
BOTH(Init, (int *, char ***))
BOTH(Finalize, (void))
BOTH(Abort, (MPI_Comm, int))
BOTH(Initialized, (int *))
BOTH(Finalized, (int *))
BOTH(Comm_rank, (MPI_Comm, int *))
BOTH(Comm_size, (MPI_Comm, int *))
BOTH(Comm_get_errhandler, (MPI_Comm, MPI_Errhandler *))
BOTH(Comm_set_errhandler, (MPI_Comm, MPI_Errhandler))
BOTH(Bcast, (void *, int, MPI_Datatype, int, MPI_Comm))
BOTH(Gather, (void *, int, MPI_Datatype, void *, int, MPI_Datatype, int,
	      MPI_Comm))
X
cat >own/mpi.c <<'X'
/* OWN_RANK of OWN_SIZE; a broadcast goes through the file OWN_FILE. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "mpi.h"
static double handler = 9.5;
static int up, down;
#define DEFINE(name, args, ...)                                                \
	int P##MPI_##name args __VA_ARGS__                                            \
	int MPI_##name args __attribute__((weak, alias("PMPI_" #name)));
static void is(double got, double wanted)
{
	if (got != wanted)
		abort();
}
DEFINE(Init, (int *c, char ***v), { (void)c; (void)v; up = 1; return 0; })
DEFINE(Finalize, (void), { is(handler, 9.5); down = 1; return 0; })
DEFINE(Abort, (MPI_Comm c, int code), { is(c, 4.5); _exit(code); })
DEFINE(Initialized, (int *f), { *f = up; return 0; })
DEFINE(Finalized, (int *f), { *f = down; return 0; })
DEFINE(Comm_rank, (MPI_Comm c, int *r),
       { is(c, 4.5); *r = atoi(getenv("OWN_RANK")); return 0; })
DEFINE(Comm_size, (MPI_Comm c, int *n),
       { is(c, 4.5); *n = atoi(getenv("OWN_SIZE")); return 0; })
DEFINE(Comm_get_errhandler, (MPI_Comm c, MPI_Errhandler *h),
       { is(c, 4.5); *h = handler; return 0; })
DEFINE(Comm_set_errhandler, (MPI_Comm c, MPI_Errhandler h),
       { is(c, 4.5); handler = h; return 0; })
DEFINE(Bcast, (void *p, int n, MPI_Datatype t, int root, MPI_Comm c), {
	int r, fd = -1;

	is(t, 5.5);
	PMPI_Comm_rank(c, &r);
	if (r == root) {
		fd = open(getenv("OWN_FILE"), O_WRONLY | O_CREAT, 0600);
		return write(fd, p, (size_t)n) != n || close(fd);
	}
	for (int i = 0; i < 3000; i++, usleep(10000)) {
		fd = open(getenv("OWN_FILE"), O_RDONLY);
		if (fd >= 0 && read(fd, p, (size_t)n) == n)
			return close(fd);
		close(fd);
	}
	return 1;
})
DEFINE(Gather, (void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u,
		int root, MPI_Comm c),
       { (void)a; (void)n; (void)t; (void)b; (void)m; (void)u; (void)root;
	 (void)c; return 1; })
X
cat >prog.c <<'X'
/* Each rank: 1000 * (rank + 1) bytes. */
#include <mpi.h>
#include <stdlib.h>
static void *volatile p;
int main(int argc, char **argv)
{
	int r;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &r);
	p = malloc(1000 * (size_t)(r + 1));
	if (argc > 1 && r == 1)
		MPI_Abort(MPI_COMM_WORLD, 7);
	return MPI_Finalize();
}
X
printf '#!/bin/sh\nexec gcc -I%s "$@"\n' "$W/own" >ownmpicc
chmod +x ownmpicc
gcc -c -fPIC -Iown -o own/mpi.o own/mpi.c && ar rc own/libown.a own/mpi.o &&
	gcc -shared -o own/libown.so own/mpi.o

# pair NAME PROGRAM ARGUMENT...: ranks 0 and 1 of a job that no launcher names
pair() {
	local name=$1 f
	shift
	rm -rf run file
	mkdir run
	for r in 0 1; do
		WM_DIR=run OWN_RANK=$r OWN_SIZE=2 OWN_FILE=$W/file \
			LD_LIBRARY_PATH=$W/own timeout 60 "$@" &
	done 2>err
	wait
	is "$name: ranks of one directory" "$(for f in run/*.wm/rank-*; do
		"$dump" --summary "$f" | jq -r '"\(.info.rank)/\(.info.ranks
			) \(.complete)"'
	done | tr '\n' ';') $(ls run | wc -l)" "0/2 true;1/2 true; 1"
}
for kind in static dynamic; do
	flags=("-L$W/own")
	[ $kind = static ] && flags+=(-static)
	rm -f prog prog.wm
	ok "$kind: builds" env WM_MPICC="$W/ownmpicc" WM_CC="$W/ownmpicc" wmcc \
		-o prog prog.c "${flags[@]}" -lown
	pair "$kind" ./prog.wm
	is "$kind: rank 1 has its block" "$("$dump" run/*/rank-000001.wmt.xz |
		awk '$3 == "MALLOC" && $5 == 2000 {n++} END {print n + 0}')" 1
	WM_DIR=run OWN_RANK=1 OWN_SIZE=2 WM_RUN_ID=a LD_LIBRARY_PATH=$W/own \
		./prog.wm abort
	is "$kind: MPI_Abort gets its handle" $? 7
	is "$kind: and the trace is whole" "$("$dump" --summary \
		run/prog.a.wm/rank-000001.wmt.xz | jq -r .info.reason)" MPI_Abort
done

# what goes wrong is one line, and no twin
rm -f prog prog.wm
WM_MPICC=gcc WM_CC=$W/ownmpicc wmcc -static -o prog prog.c -L"$W/own" -lown \
	2>err
is "a compiler without mpi.h: the program is built, no twin" \
	"$? $(ls prog prog.wm 2>/dev/null | tr '\n' ' ')" "0 prog "
like "and why" "$(cat err)" "^wmcc: warning: 'prog.wm' not made: .*mpi\.h"
is "in one line" "$(wc -l <err)" 1
WM_MPICC=/nowhere/mpicc WM_CC=$W/ownmpicc wmcc -static -o prog prog.c \
	-L"$W/own" -lown 2>err
like "no such compiler" "$(cat err)" "not made: WM_MPICC=.* can not run '/nowhere/mpicc'"
WM_MPICC=$W/ownmpicc WM_CC=gcc wmcc -o prog -xc - 2>err <<<'int main(){}'
is "a program without MPI does not mind" "$(cat err; ls prog.wm)" prog.wm

# known ones by their own headers
for m in "$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null)/bin/mpicc" \
		mpicc.mpich mpicc.openmpi; do
	command -v "$m" >/dev/null || continue
	flags=() run=(mpiexec.${m##*.} -n 2)
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	case $m in
	/*) flags=(-static) run=("${m%/mpicc}/mpiexec" -n 2) ;;
	*openmpi) run+=(--oversubscribe) ;;
	esac
	ok "${m##*/}: builds" env WM_MPICC="$m" WM_CC="$m" wmcc -o prog prog.c \
		"${flags[@]}"
	rm -rf run && mkdir run
	WM_DIR=run timeout 100 "${run[@]}" ./prog.wm >out 2>&1
	is "${m##*/}: two ranks" "$(for f in run/*.wm/rank-*; do
		"$dump" --summary "$f" | jq -r '"\(.info.rank)/\(.info.ranks)"'
	done | tr '\n' ' ')" "0/2 1/2 "
done
done_testing
