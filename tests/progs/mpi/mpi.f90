! SPDX-License-Identifier: Apache-2.0
! Each rank: allocate of 400 bytes (100 reals), kept.
! Used by `mpi_sources` of mpi-lib.sh and t6022.
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
