! SPDX-License-Identifier: Apache-2.0
! Each rank: mpi_alloc_mem of 80000 bytes and a window of 6000, both freed.
! Used by t6030.
program hello
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: e, r, n, got
  integer(mpi_address_kind) :: bytes
  type(mpi_win) :: w
  type(c_ptr) :: p
  real(8), pointer :: a(:)
  call mpi_init_thread(mpi_thread_funneled, got, e)
  call mpi_comm_rank(mpi_comm_world, r, e)
  call mpi_comm_size(mpi_comm_world, n, e)
  bytes = 80000
  call mpi_alloc_mem(bytes, mpi_info_null, p, e)
  call c_f_pointer(p, a, [10000])
  a = r
  call mpi_free_mem(a, e)
  bytes = 6000
  call mpi_win_allocate(bytes, 1, mpi_info_null, mpi_comm_world, p, w, e)
  call mpi_win_free(w, e)
  if (r == 0) print '(i0,a)', n, ' ranks'
  call mpi_finalize(e)
end program
