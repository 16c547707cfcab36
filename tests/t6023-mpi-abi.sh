# SPDX-License-Identifier: Apache-2.0
# The ABI of the MPI-5 standard: a library of that ABI, which hands its calls
# to MPICH with other handles, so that there are real ranks.
. "$(dirname "$0")/lib.sh"
dump=$SRC/tests/tools/wmt-dump
command -v python3 >/dev/null || skip_all "python3 is missing"

mkdir abi
cat >abi/mpi.h <<'X'
/* Of the standard's mpi.h what the program below needs, same values. */
#include <stdint.h>
typedef struct abi_comm *MPI_Comm;
typedef struct abi_info *MPI_Info;
typedef struct abi_win *MPI_Win;
typedef intptr_t MPI_Aint;
#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_INFO_NULL ((MPI_Info)0x130)
int MPI_Init(int *, char ***);
int MPI_Finalize(void);
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Alloc_mem(MPI_Aint, MPI_Info, void *);
int MPI_Free_mem(void *);
int MPI_Win_allocate(MPI_Aint, int, MPI_Info, MPI_Comm, void *, MPI_Win *);
int MPI_Win_free(MPI_Win *);
X
cat >abi/abi.c <<'X'
/* The standard's handles outside, MPICH's (integers) inside.  What is not one
 * of the standard's is an error. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
typedef void *H;
typedef intptr_t A;
#ifdef LOADER
#include <dlfcn.h>
static void *mpich(const char *name)
{
	static void *lib;

	if (!lib)
		lib = dlopen("libmpich.so.12", RTLD_NOW | RTLD_LOCAL |
			     RTLD_DEEPBIND);
	return dlsym(lib, name);
}
#define CALL(x, params, args) ((int (*) params)mpich("PMPI_" #x)) args
#else
/* the archive's names have an R before them */
#define CALL(x, params, args)                                                  \
	({ extern int RPMPI_##x params; RPMPI_##x args; })
#endif
#define ABI(x, params, ...)                                                    \
	int PMPI_##x params __VA_ARGS__                                        \
	int MPI_##x params __attribute__((weak, alias("PMPI_" #x)));

static int one_of(const char *what, H h, intptr_t standard, int its)
{
	if ((intptr_t)h != standard) {
		fprintf(stderr, "abi: %p is no %s\n", h, what);
		abort();
	}
	return its;
}
#define WORLD(c) one_of("communicator", c, 0x101, 0x44000000)
#define INFO(i) one_of("info", i, 0x130, 0x1c000000)
#define TYPE(t) one_of("MPI_BYTE", t, 0x247, 0x4c00010d)
/* windows and handlers of the program: MPICH's number and a bit */
#define BIT (1l << 40)
static int win(H w) { return (int)((intptr_t)w & ~BIT); }

ABI(Abi_get_version, (int *a, int *i), { *a = 1; *i = 0; return 0; })
ABI(Init, (int *c, char ***v),
    { return CALL(Init, (int *, char ***), (c, v)); })
ABI(Finalize, (void), { return CALL(Finalize, (void), ()); })
ABI(Initialized, (int *f), { return CALL(Initialized, (int *), (f)); })
ABI(Finalized, (int *f), { return CALL(Finalized, (int *), (f)); })
ABI(Comm_rank, (H c, int *r),
    { return CALL(Comm_rank, (int, int *), (WORLD(c), r)); })
ABI(Comm_size, (H c, int *n),
    { return CALL(Comm_size, (int, int *), (WORLD(c), n)); })
ABI(Comm_get_errhandler, (H c, H *h), {
	int its = 0;
	int r = CALL(Comm_get_errhandler, (int, int *), (WORLD(c), &its));

	*h = (H)(BIT | its);
	return r;
})
ABI(Comm_set_errhandler, (H c, H h), {
	int its = (intptr_t)h & BIT ? win(h) :
		one_of("MPI_ERRORS_RETURN", h, 0x143, 0x54000001);

	return CALL(Comm_set_errhandler, (int, int), (WORLD(c), its));
})
ABI(Bcast, (void *p, int n, H t, int r, H c),
    { return CALL(Bcast, (void *, int, int, int, int),
		  (p, n, TYPE(t), r, WORLD(c))); })
ABI(Gather, (void *p, int n, H t, void *q, int m, H u, int r, H c),
    { return CALL(Gather, (void *, int, int, void *, int, int, int, int),
		  (p, n, TYPE(t), q, m, TYPE(u), r, WORLD(c))); })
ABI(Alloc_mem, (A n, H i, void *p),
    { return CALL(Alloc_mem, (A, int, void *), (n, INFO(i), p)); })
ABI(Free_mem, (void *p), { return CALL(Free_mem, (void *), (p)); })
ABI(Win_allocate, (A n, int u, H i, H c, void *p, H *w), {
	int its = 0;
	int r = CALL(Win_allocate, (A, int, int, int, void *, int *),
		     (n, u, INFO(i), WORLD(c), p, &its));

	*w = (H)(BIT | (unsigned)its);
	return r;
})
ABI(Win_free, (H *w), {
	int its = win(*w);

	return CALL(Win_free, (int *), (&its));
})
ABI(Win_get_attr, (H w, int key, void *v, int *f), {
	static int flavor[] = { 0, 311, 312, 313, 314 };
	int its = key == 601 ? 0x66000001 : 0x66000007;
	int r = CALL(Win_get_attr, (int, int, void *, int *),
		     (win(w), its, v, f));

	if (key != 601 && key != 604)
		abort();
	if (key == 604 && *f)
		*(int **)v = &flavor[**(int **)v];
	return r;
})
X
cat >prog.c <<'X'
/* Each rank: 1000 * (rank + 1) bytes of the heap; MPI_Alloc_mem 2000 and
 * MPI_Win_allocate 5000, both freed. */
#include <mpi.h>
#include <stdlib.h>
static void *volatile p;
int main(int argc, char **argv)
{
	void *q;
	MPI_Win w;
	int r;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &r);
	p = malloc(1000 * (size_t)(r + 1));
	MPI_Alloc_mem(2000, MPI_INFO_NULL, &q);
	MPI_Free_mem(q);
	MPI_Win_allocate(5000, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &q, &w);
	MPI_Win_free(&w);
	return MPI_Finalize();
}
X
# job NAME LAUNCHER...: two ranks, of a job whose name has to go round
job() {
	local name=$1
	shift
	rm -rf run && mkdir run
	WM_DIR=run timeout 100 "$@" -n 2 env -u MPI_LOCALRANKID ./prog.wm \
		>out 2>&1
	is "$name: runs" "$? $(cat out)" "0 "
	is "$name: ranks, windows, memory" "$(for f in run/*.wm/rank-*; do
		"$dump" --summary "$f" | jq -c '[.info.rank, .info.ranks,
			.counts.MPI_ALLOC, .counts.MPI_FREE, .families.mpi,
			.complete]'
	done | tr '\n' ' ') $(ls run | wc -l)" \
		"[0,2,2,2,0,true] [1,2,2,2,0,true]  1"
}

if mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null); then
	nm "$mpi/lib/libmpi.a" 2>/dev/null |
		sed -n 's/.* \(P\{0,1\}MPI_[A-Za-z_]*\)$/\1 R\1/p' |
		sort -u >names
	objcopy --redefine-syms=names "$mpi/lib/libmpi.a" abi/libreal.a
	gcc -c -o abi/abi.o abi/abi.c
	ar rc abi/libmpi_abi.a abi/abi.o
	# shellcheck disable=SC2046 # words
	ok "static: builds" env WM_CC=gcc wmcc -static -Iabi -o prog prog.c \
		-Labi -lmpi_abi -lreal $("$mpi/bin/mpicc" -link_info |
			tr ' ' '\n' | grep '^-l' | grep -v '^-lmpi$')
	job static "$mpi/bin/mpiexec"
else
	skip "static" "static MPICH is missing: scripts/setup --mpi"
fi
if [ -e /usr/lib/x86_64-linux-gnu/libmpich.so.12 ] &&
		command -v mpiexec.mpich >/dev/null; then
	rm -f prog prog.wm
	gcc -shared -fPIC -D_GNU_SOURCE -DLOADER -Wl,-soname,libmpi_abi.so.0 \
		-o abi/libmpi_abi.so.0 abi/abi.c
	ln -s libmpi_abi.so.0 abi/libmpi_abi.so
	ok "dynamic: builds" env WM_CC=gcc wmcc -Iabi -o prog prog.c -Labi \
		-lmpi_abi -Wl,-rpath,"$W/abi"
	job dynamic mpiexec.mpich
else
	skip "dynamic" "package libmpich12 is missing"
fi
done_testing
