! SPDX-License-Identifier: Apache-2.0
! Each rank: allocate of 80000 bytes (10000 reals), kept; by mpif.h.
! Used by t6030.
program hello
  implicit none
  include 'mpif.h'
  integer :: e, r, n
  real(8), allocatable :: a(:)
  call mpi_init(e)
  call mpi_comm_rank(mpi_comm_world, r, e)
  call mpi_comm_size(mpi_comm_world, n, e)
  allocate(a(10000))
  a = r
  if (r == 0 .and. sum(a) >= 0) print '(i0,a)', n, ' ranks'
  call mpi_finalize(e)
end program
