! SPDX-License-Identifier: Apache-2.0
! Each rank: allocate of 80000 bytes (20000 reals), kept.
! Used by t5150.
program hello
  use mpi
  integer :: e
  real, allocatable :: a(:)
  call mpi_init(e)
  allocate(a(20000))
  a = e
  if (a(3) > 5) print *, a(4)
  call mpi_finalize(e)
end program
