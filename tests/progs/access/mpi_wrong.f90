! SPDX-License-Identifier: Apache-2.0
! Calls of MPI with wrong arguments, whose errors return; prints what each call
! returned.  Used by t6040.
program wrong
  use mpi
  implicit none
  integer :: bad
  integer :: no
  integer :: a(10), b(10), e, class, line = 0

  call MPI_Init(e)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, e)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, e)
  bad = MPI_DATATYPE_NULL
  no = MPI_COMM_NULL
  a = 0
  call MPI_Send(a, 1, bad, 0, 0, MPI_COMM_WORLD, e)
  call said
  call MPI_Send(a, -1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, e)
  call said
  call MPI_Send(a, 1, MPI_INTEGER, 0, 0, no, e)
  call said
  call MPI_Recv(a, 1, bad, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, e)
  call said
  call MPI_Bcast(a, 1, MPI_INTEGER, 0, no, e)
  call said
  call MPI_Bcast(a, 1, MPI_INTEGER, 77, MPI_COMM_WORLD, e)
  call said
  call MPI_Allreduce(a, b, 1, bad, MPI_SUM, MPI_COMM_WORLD, e)
  call said
  call MPI_Reduce(a, b, 1, MPI_INTEGER, MPI_SUM, 0, no, e)
  call said
  call MPI_Gather(a, 1, bad, b, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, e)
  call said
  call MPI_Alltoall(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, no, e)
  call said
  call MPI_Allgather(a, 1, bad, b, 1, MPI_INTEGER, MPI_COMM_WORLD, e)
  call said
  call MPI_Bcast(a, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, e)
  call said
  call MPI_Finalize(e)

contains

  subroutine said
    integer :: f

    line = line + 1
    call MPI_Error_class(e, class, f)
    print '(a, i3, a, i5)', 'call', line, ' returned', class
  end subroutine
end program
