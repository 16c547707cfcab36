! SPDX-License-Identifier: Apache-2.0
! Each rank makes ten handles of each kind, by modules mpi and mpi_f08, and frees
! seven, or ends them; and ten requests that free_in_c(request), in C, frees; and fails in ten.
! For tests/jobs/t6015-handles.sh.
module kinds
    implicit none
contains
    subroutine add(a, b, n, type)
        integer :: a(*), b(*), n, type
    end subroutine
    subroutine add08(a, b, n, type)
        use, intrinsic :: iso_c_binding, only: c_ptr
        use mpi_f08, only: mpi_datatype
        type(c_ptr), value :: a, b
        integer :: n
        type(mpi_datatype) :: type
    end subroutine
    subroutine handle08(comm, error)
        use mpi_f08, only: mpi_comm
        type(mpi_comm) :: comm
        integer :: error
    end subroutine
    subroutine use_old(keep)
        use mpi
        logical, intent(in) :: keep
        integer, save :: word
        integer :: send, op, info, key, e, open(2)
        call mpi_isend(word, 1, MPI_INTEGER, MPI_PROC_NULL, 1, & ! MPI_Isend
            MPI_COMM_WORLD, open(1), e)
        call mpi_irecv(word, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, open(2), e) ! MPI_Irecv
        call mpi_send_init(word, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, send, e) ! MPI_Send_init
        call mpi_op_create(add, .true., op, e) ! MPI_Op_create
        call mpi_info_create(info, e) ! MPI_Info_create
        call mpi_comm_create_keyval(MPI_COMM_NULL_COPY_FN, & ! MPI_Comm_create_keyval
            MPI_COMM_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND, e)
        if (keep) return
        call mpi_cancel(open(2), e)
        call mpi_waitall(2, open, MPI_STATUSES_IGNORE, e)
        call mpi_request_free(send, e)
        call mpi_op_free(op, e)
        call mpi_info_free(info, e)
        call mpi_comm_free_keyval(key, e)
    end subroutine
    subroutine use_new(keep)
        use mpi_f08
        logical, intent(in) :: keep
        integer, save, asynchronous :: word
        type(MPI_Request) :: receive, barrier, sent
        logical :: done
        type(MPI_Op) :: op
        type(MPI_Errhandler) :: handler
        call mpi_ibarrier(MPI_COMM_WORLD, barrier) ! MPI_Ibarrier
        call mpi_issend(word, 1, MPI_INTEGER, MPI_PROC_NULL, 1, & ! MPI_Issend
            MPI_COMM_WORLD, sent)
        call mpi_recv_init(word, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, receive) ! MPI_Recv_init
        call mpi_op_create(add08, .true., op) ! MPI_Op_create
        call mpi_comm_create_errhandler(handle08, handler) ! MPI_Comm_create_errhandler
        if (keep) return
        done = .false.
        do while (.not. done)
            call mpi_test(barrier, done, MPI_STATUS_IGNORE)
        end do
        call mpi_wait(sent, MPI_STATUS_IGNORE)
        call mpi_request_free(receive)
        call mpi_op_free(op)
        call mpi_errhandler_free(handler)
    end subroutine
    subroutine use_others(keep)
        use mpi
        logical, intent(in) :: keep
        integer :: comm, none, group, type, win, file, dup, open, e
        call mpi_comm_idup(MPI_COMM_WORLD, dup, open, e) ! MPI_Comm_idup
        call mpi_wait(open, MPI_STATUS_IGNORE, e)
        call mpi_comm_dup(MPI_COMM_WORLD, comm, e) ! MPI_Comm_dup
        call mpi_comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, none, e)
        call mpi_comm_group(MPI_COMM_WORLD, group, e) ! MPI_Comm_group
        call mpi_type_contiguous(3, MPI_INTEGER, type, e) ! MPI_Type_contiguous
        call mpi_win_create_dynamic(MPI_INFO_NULL, & ! MPI_Win_create_dynamic
            MPI_COMM_WORLD, win, e)
        call mpi_file_open(MPI_COMM_SELF, '/dev/null', MPI_MODE_WRONLY, & ! MPI_File_open
            MPI_INFO_NULL, file, e)
        if (e /= 0) error stop 'the file was not opened'
        if (keep) return
        call mpi_comm_free(dup, e)
        call mpi_comm_free(comm, e)
        call mpi_group_free(group, e)
        call mpi_type_free(type, e)
        call mpi_win_free(win, e)
        call mpi_file_close(file, e)
    end subroutine
    subroutine use_others08(keep)
        use mpi_f08
        logical, intent(in) :: keep
        type(MPI_Comm) :: comm, none
        type(MPI_Group) :: group
        type(MPI_Datatype) :: type, view, named
        type(MPI_File) :: file
        integer(MPI_OFFSET_KIND) :: at
        character(MPI_MAX_DATAREP_STRING) :: how
        call mpi_comm_split(MPI_COMM_WORLD, 0, 0, comm) ! MPI_Comm_split
        call mpi_comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, none)
        call mpi_comm_group(MPI_COMM_WORLD, group) ! MPI_Comm_group
        call mpi_type_vector(2, 1, 3, MPI_INTEGER, type) ! MPI_Type_vector
        call mpi_file_open(MPI_COMM_SELF, '/dev/null', MPI_MODE_WRONLY, & ! MPI_File_open
            MPI_INFO_NULL, file)
        call mpi_type_commit(type)
        call mpi_file_set_view(file, 0_MPI_OFFSET_KIND, MPI_INTEGER, type, &
            'native', MPI_INFO_NULL)
        call mpi_file_get_view(file, at, named, view, how) ! MPI_File_get_view
        if (keep) return
        call mpi_comm_free(comm)
        call mpi_group_free(group)
        call mpi_type_free(type)
        call mpi_type_free(view)
        call mpi_file_close(file)
    end subroutine
    ! what fails has made nothing, and freed nothing
    subroutine use_failing()
        use mpi_f08
        integer, save, asynchronous :: word
        type(MPI_Request) :: none
        type(MPI_Info) :: info
        call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
        call mpi_comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
        none = MPI_REQUEST_NULL
        call mpi_ssend_init(word, 1, MPI_INTEGER, 99999, 1, MPI_COMM_WORLD, none)
        info = MPI_INFO_NULL
        call mpi_info_free(info)
    end subroutine
    subroutine use_both()
        use mpi
        interface
            subroutine free_in_c(request) bind(c)
                integer :: request
            end subroutine
        end interface
        integer, save :: word
        integer :: request, e
        call mpi_rsend_init(word, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, &
            request, e)
        call free_in_c(request)
    end subroutine
end module
program handles
    use mpi
    use kinds
    implicit none
    integer :: i, e
    call mpi_init(e)
    do i = 1, 10
        call use_old(i > 7)
        call use_new(i > 7)
        call use_others(i > 7)
        call use_others08(i > 7)
        call use_both()
        call use_failing()
    end do
    call mpi_finalize(e)
end program
