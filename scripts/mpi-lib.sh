# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Functions of the scripts that build a static MPI, to try it.  Sourced after
# setup-lib.sh, used after wm_build_begin, which sets wm_tmp and wm_log.
# shellcheck disable=SC2154

# wm_mpi_try BIN [LAUNCHER-OPTION...]: link programs in C, C++ and Fortran
# with -static and run each on four ranks.
wm_mpi_try()
{
	local bin=$1 dir=$wm_tmp/try

	shift
	mkdir -p "$dir"
	cat >"$dir/c.c" <<-'EOF'
	#include <stdio.h>
	#include <mpi.h>
	int main(int argc, char **argv)
	{
		int rank, size;

		MPI_Init(&argc, &argv);
		MPI_Comm_rank(MPI_COMM_WORLD, &rank);
		MPI_Comm_size(MPI_COMM_WORLD, &size);
		printf("%d/%d\n", rank, size);
		return MPI_Finalize();
	}
	EOF
	sed 's/<stdio.h>/<cstdio>/' "$dir/c.c" >"$dir/cxx.cc"
	cat >"$dir/f.f90" <<-'EOF'
	program f
	  use mpi
	  integer :: rank, nranks, ierr
	  call MPI_Init(ierr)
	  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
	  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
	  print '(i0, "/", i0)', rank, nranks
	  call MPI_Finalize(ierr)
	end program f
	EOF
	sed 's/use mpi$/use mpi_f08/' "$dir/f.f90" >"$dir/f08.f90"
	wm_mpi_try_one mpicc "$dir/c.c" "$@"
	wm_mpi_try_one mpicxx "$dir/cxx.cc" "$@"
	wm_mpi_try_one mpifort "$dir/f.f90" "$@"
	wm_mpi_try_one mpifort "$dir/f08.f90" "$@"
}

# wm_mpi_try_one COMPILER FILE [LAUNCHER-OPTION...]; BIN is the caller's.
wm_mpi_try_one()
{
	local compiler=$1 file=$2 out

	shift 2
	wm_step "$compiler -static" "$bin/$compiler" -static -o "$file.x" "$file"
	if readelf -lW "$file.x" | grep -q INTERP; then
		die "'$compiler -static' made a dynamic program"
	fi
	out=$(timeout 120 "$bin/mpiexec" "$@" -n 4 "$file.x" </dev/null \
		2>>"$wm_log" | tr -d ' ' | sort | tr '\n' ' ') || :
	[ "$out" = "0/4 1/4 2/4 3/4 " ] ||
		die "a static $compiler program on 4 ranks printed '$out':" \
		    "the log is '$wm_log'"
}
