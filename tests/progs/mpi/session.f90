! SPDX-License-Identifier: Apache-2.0
! Begins a session and ends it; allocates nothing itself.
! Used by t6020.
program s
  use mpi_f08
  type(mpi_session) :: h
  integer :: e
  call mpi_session_init(mpi_info_null, mpi_errors_return, h, e)
  call mpi_session_finalize(h, e)
  print '(a)', '2 ranks'
end program
