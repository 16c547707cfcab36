! SPDX-License-Identifier: Apache-2.0
! Each rank: begins, asks for its number and ends; allocates nothing itself.
! In fixed form.
! Used by t6600.
      program p
      include 'mpif.h'
      integer ierr, rank
      call mpi_init(ierr)
      call mpi_comm_rank(mpi_comm_world, rank, ierr)
      call mpi_finalize(ierr)
      end
