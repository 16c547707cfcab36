! SPDX-License-Identifier: Apache-2.0
! Each rank: allocate of 8000 * (rank + 1) bytes (1000 reals each), kept; rank
! 0 tells how many they are.
! Used by t6000, t6710.
program hello
  use mpi
  implicit none
  integer :: e, r, n
  real(8), allocatable :: a(:)
  call mpi_init(e)
  call mpi_comm_rank(mpi_comm_world, r, e)
  call mpi_comm_size(mpi_comm_world, n, e)
  allocate(a(1000 * (r + 1)))
  a = r
  if (r == 0) print '(i0,a)', n, ' ranks'
  call mpi_finalize(e)
end program
