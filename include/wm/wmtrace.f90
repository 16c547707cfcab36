! SPDX-License-Identifier: Apache-2.0
!
! What a Fortran program can say about itself to the tracing runtime:
! wmtrace(3), and include/wm/wmtrace.h for what the calls mean.
!
! Add this file to the program's sources.  Nothing has to be linked: the common
! block below holds zeros then, and the calls do nothing.  wmcc links an object
! that defines it, with the addresses of the runtime's functions in it.
!
module wmtrace
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: wm_phase, wm_name, wm_pause, wm_resume, wm_snapshot
  public :: wm_access_start, wm_access_stop
  public :: wm_access_start_all, wm_access_stop_all

  ! phase, name, pause, resume, snapshot, accesses, and room for more
  integer(c_intptr_t) :: hook(8)
  common /wmtrace_hooks/ hook
  bind(c, name='wm_fortran_hooks') :: /wmtrace_hooks/

  abstract interface
    subroutine hook_plain() bind(c)
    end subroutine
    subroutine hook_accesses(on, all) bind(c)
      import :: c_int
      integer(c_int), value :: on, all
    end subroutine
    subroutine hook_text(text, length) bind(c)
      import :: c_char, c_size_t
      character(kind=c_char), intent(in) :: text(*)
      integer(c_size_t), value :: length
    end subroutine
    subroutine hook_block(block, text, length) bind(c)
      import :: c_char, c_ptr, c_size_t
      type(c_ptr), value :: block
      character(kind=c_char), intent(in) :: text(*)
      integer(c_size_t), value :: length
    end subroutine
  end interface

contains

  ! The process is in phase NAME from now on; without NAME: in none.
  subroutine wm_phase(name)
    character(len=*), intent(in), optional :: name
    call say(hook(1), name)
  end subroutine

  ! The memory that BLOCK (any variable) lies in is called NAME.
  subroutine wm_name(block, name)
    type(*), dimension(..), intent(in), target :: block
    character(len=*), intent(in) :: name
    procedure(hook_block), pointer :: call_it
    if (hook(2) == 0) return
    call c_f_procpointer(transfer(hook(2), c_null_funptr), call_it)
    call call_it(c_loc(block), name, int(len_trim(name), c_size_t))
  end subroutine

  ! Allocations are not recorded from now on; releases are.
  subroutine wm_pause()
    call act(hook(3))
  end subroutine

  subroutine wm_resume()
    call act(hook(4))
  end subroutine

  ! Reports show who holds the heap at this moment.
  subroutine wm_snapshot(name)
    character(len=*), intent(in), optional :: name
    call say(hook(5), name)
  end subroutine

  ! Loads and stores of the calling thread are recorded from now on, or not.
  subroutine wm_access_start()
    call accesses(1_c_int, 0_c_int)
  end subroutine

  subroutine wm_access_stop()
    call accesses(0_c_int, 0_c_int)
  end subroutine

  ! The same of all threads.
  subroutine wm_access_start_all()
    call accesses(1_c_int, 1_c_int)
  end subroutine

  subroutine wm_access_stop_all()
    call accesses(0_c_int, 1_c_int)
  end subroutine

  subroutine accesses(on, all)
    integer(c_int), intent(in) :: on, all
    procedure(hook_accesses), pointer :: call_it
    if (hook(6) == 0) return
    call c_f_procpointer(transfer(hook(6), c_null_funptr), call_it)
    call call_it(on, all)
  end subroutine

  subroutine say(address, name)
    integer(c_intptr_t), intent(in) :: address
    character(len=*), intent(in), optional :: name
    procedure(hook_text), pointer :: call_it
    if (address == 0) return
    call c_f_procpointer(transfer(address, c_null_funptr), call_it)
    if (present(name)) then
      call call_it(name, int(len_trim(name), c_size_t))
    else
      call call_it('', 0_c_size_t)
    end if
  end subroutine

  subroutine act(address)
    integer(c_intptr_t), intent(in) :: address
    procedure(hook_plain), pointer :: call_it
    if (address == 0) return
    call c_f_procpointer(transfer(address, c_null_funptr), call_it)
    call call_it()
  end subroutine

end module
