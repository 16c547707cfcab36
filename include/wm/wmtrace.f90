! SPDX-License-Identifier: Apache-2.0
!
! Calls by which a Fortran program describes itself to the tracing runtime:
! wmtrace(3); include/wm/wmtrace.h explains them.
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
  public :: wm_unname, wm_name_next, wm_region, wm_region_end, wm_mark
  public :: wm_access_start, wm_access_stop
  public :: wm_access_start_all, wm_access_stop_all

  ! phase, name, pause, resume, snapshot, accesses, say, and room for more
  integer(c_intptr_t) :: hook(8)
  common /wmtrace_hooks/ hook
  bind(c, name='wm_fortran_hooks') :: /wmtrace_hooks/

  ! the first argument of wm_api_say in wmtrace.h
  integer(c_int), parameter :: say_next = 1, say_mark = 2, say_region = 3, &
    say_region_end = 4

  interface wm_region
    module procedure region_int, region_long
  end interface

  abstract interface
    subroutine hook_say(what, address, bytes, element, text, length) bind(c)
      import :: c_char, c_int, c_ptr, c_size_t
      integer(c_int), value :: what
      type(c_ptr), value :: address
      integer(c_size_t), value :: bytes, element, length
      character(kind=c_char), intent(in) :: text(*)
    end subroutine
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

  ! The memory around BLOCK (any variable) is called NAME.
  subroutine wm_name(block, name)
    type(*), dimension(..), intent(in), target :: block
    character(len=*), intent(in) :: name
    procedure(hook_block), pointer :: call_it
    if (hook(2) == 0) return
    call c_f_procpointer(transfer(hook(2), c_null_funptr), call_it)
    call call_it(c_loc(block), name, int(len_trim(name), c_size_t))
  end subroutine

  subroutine wm_unname(block)
    type(*), dimension(..), intent(in), target :: block
    call wm_name(block, '')
  end subroutine

  ! The next memory that the calling thread allocates is called NAME.
  subroutine wm_name_next(name)
    character(len=*), intent(in) :: name
    call tell(say_next, c_null_ptr, 0_c_size_t, 0_c_size_t, name)
  end subroutine

  ! The memory from VARIABLE on, COUNT elements of ELEMENT bytes, is called
  ! NAME: a part of an array, a COMMON block (its first variable).  As in
  ! call wm_region('a', a, size(a), storage_size(a) / 8)
  subroutine region_int(name, variable, count, element)
    character(len=*), intent(in) :: name
    type(*), dimension(..), intent(in), target :: variable
    integer(c_int), intent(in) :: count
    integer, intent(in) :: element
    call region(name, c_loc(variable), int(count, c_size_t), element)
  end subroutine

  subroutine region_long(name, variable, count, element)
    character(len=*), intent(in) :: name
    type(*), dimension(..), intent(in), target :: variable
    integer(c_int64_t), intent(in) :: count
    integer, intent(in) :: element
    call region(name, c_loc(variable), int(count, c_size_t), element)
  end subroutine

  subroutine region(name, address, count, element)
    character(len=*), intent(in) :: name
    type(c_ptr), intent(in) :: address
    integer(c_size_t), intent(in) :: count
    integer, intent(in) :: element
    call tell(say_region, address, count * element, int(element, c_size_t), &
      name)
  end subroutine

  ! The region around VARIABLE ends.
  subroutine wm_region_end(variable)
    type(*), dimension(..), intent(in), target :: variable
    call tell(say_region_end, c_loc(variable), 0_c_size_t, 0_c_size_t, '')
  end subroutine

  ! Reports show this moment.
  subroutine wm_mark(text)
    character(len=*), intent(in), optional :: text
    if (present(text)) then
      call tell(say_mark, c_null_ptr, 0_c_size_t, 0_c_size_t, text)
    else
      call tell(say_mark, c_null_ptr, 0_c_size_t, 0_c_size_t, '')
    end if
  end subroutine

  subroutine tell(what, address, bytes, element, text)
    integer(c_int), intent(in) :: what
    type(c_ptr), intent(in) :: address
    integer(c_size_t), intent(in) :: bytes, element
    character(len=*), intent(in) :: text
    procedure(hook_say), pointer :: call_it
    if (hook(7) == 0) return
    call c_f_procpointer(transfer(hook(7), c_null_funptr), call_it)
    call call_it(what, address, bytes, element, text, &
      int(len_trim(text), c_size_t))
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
