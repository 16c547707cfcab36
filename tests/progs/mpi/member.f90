! SPDX-License-Identifier: Apache-2.0
! Each rank: allocate of 50000000 + rank bytes in mine(), kept; the ranks
! meet.
! Used by `member_sources` of launch-lib.sh.
program member
  use mpi
  implicit none
  integer :: e, r, n
  character, allocatable, save :: a(:)
  call mpi_init(e)
  call mpi_comm_rank(mpi_comm_world, r, e)
  call mpi_comm_size(mpi_comm_world, n, e)
  call mine(r)
  call mpi_barrier(mpi_comm_world, e)
  if (r == 0) print '(i0,a)', n, ' ranks'
  call mpi_finalize(e)
contains
  subroutine mine(r)
    integer :: r
    allocate(a(50000000 + r))
  end subroutine
end program
