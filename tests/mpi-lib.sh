# SPDX-License-Identifier: Apache-2.0
# What tests with MPI compilers share; sourced after lib.sh.
#
#   mpich_prefix                  prints the bin folder of the static MPICH
#   mpi_sources                   mpi.c mpi.cc mpi.f90 here
#   pmpi_source                   pmpi.c here: another tool's MPI_Init
#   ranks MPIEXEC N PROGRAM       N ranks leave N traces of one run
#
# mpi.c with -DMEMORY makes four events of MPI's own memory a rank.

# mpiexec of Open MPI refuses root and counts cores
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export OMPI_MCA_rmaps_base_oversubscribe=1

mpich_prefix() {
	local dir

	dir=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null) || return
	printf '%s/bin\n' "$dir"
}

mpi_sources() {
	cat >mpi.c <<'E2'
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	void *volatile p;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	p = malloc((size_t)rank + 1);
	free(p);
#ifdef MEMORY
	void *block;
	MPI_Win win;

	MPI_Alloc_mem(1000, MPI_INFO_NULL, &block);
	MPI_Free_mem(block);
	MPI_Win_allocate(1000, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &block, &win);
	MPI_Win_free(&win);
#endif
	MPI_Finalize();
	return 0;
}
E2
	cat >mpi.cc <<'E2'
#include <mpi.h>
#include <vector>
int main(int argc, char **argv)
{
	int rank, sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	{
		std::vector<int> v(1000, rank);
		int part = v[rank];

		MPI_Allreduce(&part, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return sum < 0;
}
E2
	cat >mpi.f90 <<'E2'
program p
	use mpi
	integer :: ierr, rank
	real, allocatable :: a(:)
	call mpi_init(ierr)
	call mpi_comm_rank(mpi_comm_world, rank, ierr)
	allocate(a(100))
	a = rank
	if (sum(a) < 0) print *, 'never'
	call mpi_finalize(ierr)
end program
E2
}

pmpi_source() {
	cat >pmpi.c <<'X'
#include <mpi.h>
#include <stdio.h>
int MPI_Init(int *c, char ***v)
{
	int r = PMPI_Init(c, v);
	fprintf(stderr, "profiled\n");
	return r;
}
X
}

ranks() {
	local dir n d status

	dir=$(mktemp -d "$W/run.XXXXXX")
	WM_DIR=$dir timeout 60 "$1" -n "$2" "$3" >"$dir/out" 2>&1 </dev/null
	status=$?
	cat "$dir/out"
	n=$(find "$dir" -name 'rank-*.wmt.xz' | wc -l)
	d=$(find "$dir" -name '*.wm' -type d | wc -l)
	rm -rf "$dir"
	echo "status $status, $n traces in $d folders"
	[ $status -eq 0 ] && [ "$n" -eq "$2" ] && [ "$d" -eq 1 ]
}

# ./ssh, in the place of ssh ([OPTIONS] HOST COMMAND): HOST ends in .N and is
# pretended by namespaces, with a name and a boot id of its own.
boot=/proc/sys/kernel/random/boot_id
pretend_hosts() {
	cat >ssh <<END
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do shift; done
n=\${1##*.}
shift
echo "127.0.0.1 localhost $(uname -n) node-2 node-3" >"$W/hosts.\$n"
echo "00000000-0000-0000-0000-00000000000\$n" >"$W/boot.\$n"
export NODE_DIR="$W/run/node-\$n"
exec unshare --uts --mount sh -c 'n=\$0
	hostname "node-\$n" && mount --bind "$W/hosts.\$n" /etc/hosts &&
	mount --bind "$W/boot.\$n" $boot && eval "exec \$*"' "\$n" "\$@"
END
	chmod +x ssh
}
