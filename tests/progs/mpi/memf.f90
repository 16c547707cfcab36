! SPDX-License-Identifier: Apache-2.0
! Each rank: mpi_alloc_mem of 80000 bytes and mpi_win_allocate of 6000, both
! freed.
! Used by t6010.
program mem
  use mpi
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: e, w
  integer(mpi_address_kind) :: n
  type(c_ptr) :: p, q
  real(8), pointer :: a(:)
  call mpi_init(e)
  n = 80000
  call mpi_alloc_mem(n, mpi_info_null, p, e)
  call c_f_pointer(p, a, [10000])
  a = 1
  call mpi_free_mem(a, e)
  n = 6000
  call mpi_win_allocate(n, 1, mpi_info_null, mpi_comm_world, q, w, e)
  call mpi_win_free(w, e)
  call mpi_finalize(e)
end program
