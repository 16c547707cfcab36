# SPDX-License-Identifier: Apache-2.0
# run: rest
# Another profiling library in the same link sees each call as often as
# without us, and none of ours: in archives, objects and shared libraries, one
# alone and two in a chain, C and Fortran.
. "$(dirname "$0")/lib.sh"
dump=$SRC/tests/tools/wmt-dump
command -v python3 >/dev/null || skip_all "python3 is missing"

cat >tool.c <<'X'
/* Counts calls, and tells of them in MPI_Finalize.  NEXT(x): what it calls;
 * HERE(x): what it defines; NAME. */
#include <mpi.h>
#include <stdio.h>
#ifndef HERE
#define HERE(x) MPI_##x
#endif
#ifndef NEXT
#define NEXT(x) PMPI_##x
#endif
static int calls[16];
static void tell(const char *what)
{
	char line[256];
	int n = sprintf(line, "tool " NAME " %s:", what);

	for (int i = 0; i < 16; i++)
		n += sprintf(line + n, " %d", calls[i]);
	fprintf(stderr, "%s\n", line);
}
#ifdef LOADER
#include <dlfcn.h>
#define CALL(x) ((__typeof__(&MPI_##x))dlsym(RTLD_NEXT, "MPI_" #x))
#else
#define CALL(x) NEXT(x)
#endif
#define C(i, x, params, args)                                                  \
	int NEXT(x) params;                                                    \
	int HERE(x) params { calls[i]++; return CALL(x) args; }
C(0, Init, (int *c, char ***v), (c, v))
C(1, Init_thread, (int *c, char ***v, int r, int *p), (c, v, r, p))
C(2, Comm_rank, (MPI_Comm c, int *r), (c, r))
C(3, Comm_size, (MPI_Comm c, int *n), (c, n))
C(4, Bcast, (void *b, int n, MPI_Datatype t, int r, MPI_Comm c),
  (b, n, t, r, c))
C(5, Alloc_mem, (MPI_Aint n, MPI_Info i, void *p), (n, i, p))
C(6, Free_mem, (void *p), (p))
C(7, Win_allocate, (MPI_Aint n, int u, MPI_Info i, MPI_Comm c, void *p,
		    MPI_Win *w), (n, u, i, c, p, w))
C(8, Win_free, (MPI_Win *w), (w))
C(9, Initialized, (int *f), (f))
C(10, Comm_set_errhandler, (MPI_Comm c, MPI_Errhandler h), (c, h))
C(11, Win_get_attr, (MPI_Win w, int k, void *v, int *f), (w, k, v, f))
int NEXT(Finalize)(void);
int HERE(Finalize)(void)
{
	calls[12]++;
	tell("C");
	return CALL(Finalize)();
}
#ifndef LOADER
#ifdef FORTRAN
#define F(i, x, params, args)                                                  \
	void pmpi_##x##_ params;                                               \
	void mpi_##x##_ params { calls[i]++; pmpi_##x##_ args; }
F(13, init, (int *e), (e))
F(14, comm_rank, (int *c, int *r, int *e), (c, r, e))
void pmpi_finalize_(int *e);
void mpi_finalize_(int *e)
{
	calls[15]++;
	tell("Fortran");
	pmpi_finalize_(e);
}
#endif
#endif
X
cat >prog.c <<'X'
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	void *p, *q;
	MPI_Win w;
	int r;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &r);
	MPI_Bcast(&r, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Alloc_mem(1000, MPI_INFO_NULL, &p);
	MPI_Free_mem(p);
	MPI_Win_allocate(5000, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &q, &w);
	MPI_Win_free(&w);
	free(malloc(10));
	MPI_Finalize();
	return 0;
}
X
cat >prog.f90 <<'X'
program p
  use mpi
  integer :: e, r
  real, allocatable :: a(:)
  call mpi_init(e)
  call mpi_comm_rank(mpi_comm_world, r, e)
  allocate(a(100))
  a = r
  if (sum(a) < 0) print *, 'never'
  call mpi_finalize(e)
end program
X

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1

# check NAME COMPILER MPIEXEC SOURCE LINES TRACES LINK-ARGUMENT...
check() {
	local name=$1 cc=$2 run=$3 source=$4 lines=$5 wanted=$6
	shift 6
	rm -f prog prog.wm
	rm -rf run && mkdir run
	WM_CC=$cc WM_FC=$cc "$([ "${source##*.}" = c ] && echo wmcc ||
		echo wmf90)" -o prog "$source" "$@" 2>err
	is "$name: builds both" "$? $(ls prog prog.wm | tr '\n' ' ')$(
		grep wmcc: err)" "0 prog prog.wm "
	# no launcher has named the job: then we broadcast, too
	timeout 100 "$run" -n 2 env -u MPI_LOCALRANKID ./prog 2>&1 |
		grep ^tool | sort >plain
	WM_DIR=run timeout 100 "$run" -n 2 env -u MPI_LOCALRANKID ./prog.wm \
		2>&1 | grep ^tool | sort >traced
	is "$name: the tool has told of both ranks" "$(wc -l <plain)" "$lines"
	is "$name: and of the same calls" "$(cat traced)" "$(cat plain)"
	is "$name: traced" "$(for f in run/*.wm/rank-*; do
		"$dump" --summary "$f" | jq -r '"\(.info.rank)/\(.info.ranks)"
			+ (if .counts.MPI_ALLOC > 0 then " mpi" else "" end)'
	done | sort | tr '\n' ' ') $(ls run | wc -l)" "$wanted 1"
}
c="0/2 mpi 1/2 mpi "
f="0/2 1/2 "

if mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null); then
	cc=$mpi/bin/mpicc run=$mpi/bin/mpiexec
	"$cc" -c -DNAME='"one"' -o one.o tool.c
	"$cc" -c -DNAME='"both"' -DFORTRAN -o both.o tool.c
	"$cc" -c -DNAME='"two"' -o two.o -DHERE'(x)=SECOND_##x' tool.c
	"$cc" -c -DNAME='"one"' -o chain.o -DNEXT'(x)=SECOND_##x' tool.c
	ar rc libone.a one.o
	ar rc libboth.a both.o
	ar rc libchain.a chain.o two.o
	check "static, an object" "$cc" "$run" prog.c 2 "$c" -static one.o
	check "static, an archive" "$cc" "$run" prog.c 2 "$c" -static -L. -lone
	check "static, two in a chain" "$cc" "$run" prog.c 4 "$c" -static -L. \
		-lchain
	check "static, Fortran" "$mpi/bin/mpifort" "$run" prog.f90 4 "$f" \
		-static -L. -lboth
else
	skip "static MPICH" "it is missing: scripts/setup --mpi"
fi
for m in mpich openmpi; do
	command -v mpicc.$m >/dev/null || {
		skip "dynamic $m" "package lib$m-dev is missing"
		continue
	}
	cc=mpicc.$m run=mpiexec.$m
	# MPICH's Fortran calls C's MPI_Finalize, which the tool sees as well
	n=$([ $m = mpich ] && echo 4 || echo 2)
	"$cc" -c -fPIC -DNAME='"one"' -o one.o tool.c
	"$cc" -c -fPIC -DNAME='"both"' -DFORTRAN -o both.o tool.c
	"$cc" -shared -fPIC -DNAME='"one"' -o libone.so tool.c
	"$cc" -shared -fPIC -DNAME='"both"' -DFORTRAN -o libboth.so tool.c
	"$cc" -shared -fPIC -DNAME='"first"' -D_GNU_SOURCE -DLOADER \
		-o libfirst.so tool.c
	rpath=-Wl,-rpath,$W
	check "$m, an object" "$cc" "$run" prog.c 2 "$c" one.o
	check "$m, a library" "$cc" "$run" prog.c 2 "$c" -L. -lone "$rpath"
	check "$m, two libraries in a chain" "$cc" "$run" prog.c 4 "$c" -L. \
		-Wl,--no-as-needed -lfirst -lone "$rpath"
	check "$m, Fortran, a library" "mpifort.$m" "$run" prog.f90 $n "$f" \
		-L. -lboth "$rpath"
	check "$m, Fortran, an object" "mpifort.$m" "$run" prog.f90 $n \
		"$f" both.o
done
done_testing
