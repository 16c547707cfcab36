! SPDX-License-Identifier: Apache-2.0
! Two ranks.  Calls of MPI in Fortran (the module mpi; with another first line
! mpif.h), and in the file said.RANK what they read and write: r or w, address,
! bytes.  Used by t6040.
program buffers
  use mpi
  use, intrinsic :: iso_c_binding
  implicit none
  integer, target, save :: a(400), b(400)
  real(8), target, save :: d(100)
  integer :: rank, other, e, q, s(MPI_STATUS_SIZE), column
  integer :: m
  integer :: often(2)
  integer :: line
  integer :: kinds(2)
  integer :: bytes(2) = [40, 160]
  integer(MPI_ADDRESS_KIND) :: far(2) = [40, 160]
  integer :: counts(2) = [4, 6], at(2) = [10, 40]
  integer, parameter :: world = MPI_COMM_WORLD
  character(len=8) :: name

  call MPI_Init(e)
  call MPI_Comm_rank(world, rank, e)
  other = 1 - rank
  write(name, '(a, i1)') 'said.', rank
  open(10, file=name)
  if (rank == 0) then
    call say('r', c_loc(a), 40)
    call MPI_Send(a, 10, MPI_INTEGER, 1, 0, world, e)
    call say('r', c_loc(a(6)), 44)
    call MPI_Send(a(6), 11, MPI_INTEGER, 1, 0, world, e)
    call say('r', c_loc(d), 96)
    call MPI_Isend(d, 12, MPI_DOUBLE_PRECISION, 1, 0, world, q, e)
    call MPI_Wait(q, MPI_STATUS_IGNORE, e)
  else
    call MPI_Recv(b, 100, MPI_INTEGER, 0, 0, world, s, e)
    call say('w', c_loc(b), 40)
    call MPI_Recv(b, 100, MPI_INTEGER, 0, 0, world, MPI_STATUS_IGNORE, e)
    call say('w', c_loc(b), 44)
    call MPI_Irecv(d, 100, MPI_DOUBLE_PRECISION, 0, 0, world, q, e)
    call say('w', c_loc(d), 800)
    call MPI_Wait(q, s, e)
  end if
  call MPI_Send(a, 10, MPI_INTEGER, MPI_PROC_NULL, 0, world, e)
  call say('r', c_loc(d), 56)
  call MPI_Isend(d, 7, MPI_DOUBLE_PRECISION, other, 3, world, q, e)
  call MPI_Mprobe(other, 3, world, m, s, e)
  call MPI_Mrecv(d(51), 50, MPI_DOUBLE_PRECISION, m, MPI_STATUS_IGNORE, e)
  call say('w', c_loc(d(51)), 56)
  call MPI_Wait(q, MPI_STATUS_IGNORE, e)
  call MPI_Send_init(a, 11, MPI_INTEGER, other, 5, world, often(1), e)
  call MPI_Recv_init(b, 12, MPI_INTEGER, other, 5, world, often(2), e)
  call say('r', c_loc(a), 44)
  call say('w', c_loc(b), 48)
  call MPI_Startall(2, often, e)
  call MPI_Waitall(2, often, MPI_STATUSES_IGNORE, e)
  call MPI_Start(often(2), e)
  call say('w', c_loc(b), 48)
  call MPI_Start(often(1), e)
  call say('r', c_loc(a), 44)
  call MPI_Waitall(2, often, MPI_STATUSES_IGNORE, e)
  call MPI_Request_free(often(1), e)
  call MPI_Request_free(often(2), e)
  call MPI_Type_vector(10, 1, 8, MPI_INTEGER, column, e)
  call MPI_Type_commit(column, e)
  call say('r', c_loc(a(3)), 292)
  call MPI_Sendrecv(a(3), 1, column, other, 0, b, 10, MPI_INTEGER, other, 0, &
    world, s, e)
  call say('w', c_loc(b), 40)
  call say('r', c_loc(b), 28)
  call MPI_Sendrecv_replace(b, 7, MPI_INTEGER, other, 2, other, 2, world, &
    MPI_STATUS_IGNORE, e)
  call say('w', c_loc(b), 28)
  if (rank == 0) call say('r', c_loc(a), 84)
  call MPI_Bcast(a, 21, MPI_INTEGER, 0, world, e)
  if (rank == 1) call say('w', c_loc(a), 84)
  call say('r', c_loc(d), 256)
  call MPI_Allreduce(MPI_IN_PLACE, d, 32, MPI_DOUBLE_PRECISION, MPI_MAX, &
    world, e)
  call say('w', c_loc(d), 256)
  call say('r', c_loc(a), 120)
  call MPI_Reduce(a, b, 30, MPI_INTEGER, MPI_SUM, 1, world, e)
  if (rank == 1) call say('w', c_loc(b), 120)
  call say('r', c_loc(a), 20)
  call MPI_Gather(a, 5, MPI_INTEGER, b, 5, MPI_INTEGER, 0, world, e)
  if (rank == 0) call say('w', c_loc(b), 40)
  call say('r', c_loc(b(at(rank + 1) + 1)), 4 * counts(rank + 1))
  call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INTEGER, b, counts, at, &
    MPI_INTEGER, world, e)
  call say('w', c_loc(b(at(other + 1) + 1)), 4 * counts(other + 1))
  call say('r', c_loc(a), 80)
  call MPI_Alltoall(a, 10, MPI_INTEGER, b, 10, MPI_INTEGER, world, e)
  call say('w', c_loc(b), 80)
  kinds = MPI_INTEGER
  call say('r', c_loc(a(11)), 16)
  call say('r', c_loc(a(41)), 16)
  call MPI_Alltoallw(a, [4, 4], bytes, kinds, b, [4, 4], bytes, kinds, world, e)
  call say('w', c_loc(b(11)), 16)
  call say('w', c_loc(b(41)), 16)
  call MPI_Isend(d, 7, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 4, world, q, e)
  call MPI_Wait(q, MPI_STATUS_IGNORE, e)
  call MPI_Mprobe(MPI_PROC_NULL, 4, world, m, s, e)
  call MPI_Imrecv(b, 50, MPI_INTEGER, m, q, e)
  call MPI_Wait(q, MPI_STATUS_IGNORE, e)
  if (rank == 0) then
    call say('r', c_loc(a), 28)
    call MPI_Send(a, 7, MPI_INTEGER, 1, 4, world, e)
  else
    call MPI_Mprobe(0, 4, world, m, s, e)
    call MPI_Imrecv(b, 50, MPI_INTEGER, m, q, e)
    call say('w', c_loc(b), 200)
    call MPI_Wait(q, MPI_STATUS_IGNORE, e)
  end if
  call MPI_Cart_create(world, 1, [2], [.false.], .false., line, e)
  call say('r', c_loc(a), 12)
  call MPI_Neighbor_allgather(a, 3, MPI_INTEGER, b, 3, MPI_INTEGER, line, e)
  call say('w', c_loc(b(1 + 3 * other)), 12)
  call MPI_Comm_free(line, e)
  ! of a grid MPICH's mpi_f08 refuses it
  call MPI_Dist_graph_create_adjacent(world, 1, [other], MPI_UNWEIGHTED, &
    1, [other], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., line, e)
  call say('r', c_loc(a(11)), 16)
  call MPI_Neighbor_alltoallw(a, [4], far, kinds, b, [4], far, kinds, line, e)
  call say('w', c_loc(b(11)), 16)
  call MPI_Comm_free(line, e)
  call windows
  close(10)
  call MPI_Finalize(e)

contains

  ! not each MPI has windows everywhere
  subroutine windows
    integer, target, save :: seen(100)
    integer :: win
    integer, parameter :: ints = MPI_INTEGER

    call MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN, e)
    call MPI_Win_create(seen, 400_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, world, &
      win, e)
    if (e /= MPI_SUCCESS) return
    call MPI_Win_fence(0, win, e)
    call say('r', c_loc(a), 84)
    call MPI_Put(a, 21, ints, other, 5_MPI_ADDRESS_KIND, 21, ints, win, e)
    call MPI_Win_fence(0, win, e)
    call MPI_Get(b, 22, ints, other, 5_MPI_ADDRESS_KIND, 22, ints, win, e)
    call say('w', c_loc(b), 88)
    call MPI_Win_fence(0, win, e)
    call say('r', c_loc(a), 92)
    call MPI_Accumulate(a, 23, ints, other, 5_MPI_ADDRESS_KIND, 23, ints, &
      MPI_SUM, win, e)
    call MPI_Win_fence(0, win, e)
    call MPI_Win_lock_all(0, win, e)
    call say('r', c_loc(a), 96)
    call MPI_Rput(a, 24, ints, other, 5_MPI_ADDRESS_KIND, 24, ints, win, q, e)
    call MPI_Wait(q, MPI_STATUS_IGNORE, e)
    call say('r', c_loc(a), 12)
    call say('w', c_loc(b), 12)
    call MPI_Get_accumulate(a, 3, ints, b, 3, ints, other, &
      5_MPI_ADDRESS_KIND, 3, ints, MPI_SUM, win, e)
    call say('w', c_loc(b(5)), 4)
    call MPI_Fetch_and_op(a(1), b(5), ints, other, 0_MPI_ADDRESS_KIND, &
      MPI_NO_OP, win, e)
    call say('r', c_loc(a), 4)
    call say('r', c_loc(a(2)), 4)
    call say('w', c_loc(b(6)), 4)
    call MPI_Compare_and_swap(a(1), a(2), b(6), ints, other, &
      0_MPI_ADDRESS_KIND, win, e)
    call MPI_Win_unlock_all(win, e)
    call MPI_Win_free(win, e)
    write(*, '(a)') 'windows'
  end subroutine

  subroutine say(what, address, bytes)
    character, intent(in) :: what
    type(c_ptr), intent(in) :: address
    integer, intent(in) :: bytes
    character(len=20) :: hex, number

    write(hex, '(z20)') transfer(address, 0_c_intptr_t)
    write(number, '(i20)') bytes
    write(10, '(5a)') what, ' ', trim(adjustl(hex)), ' ', &
      trim(adjustl(number))
  end subroutine
end program
