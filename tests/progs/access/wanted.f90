! SPDX-License-Identifier: Apache-2.0
! Prints the address of 4 rows of 100 integers of two bytes, and stores to each.
! With WM_ACCESS=off rows 1 and 3 are recorded.  Used by t3450.
module rows
  implicit none
  integer(2), target, volatile :: row(100, 0:3)
end module
program wanted
  use rows
  use, intrinsic :: iso_c_binding
  use wmtrace
  implicit none
  call fill(0)
  call wm_access_start()
  call fill(1)
  call wm_access_stop()
  call fill(2)
  call wm_access_start_all()
  call fill(3)
  call wm_access_stop_all()
  call fill(2)
  print '(z0, a)', transfer(c_loc(row), 0_c_intptr_t), ' 0'
contains
  subroutine fill(r)
    integer, intent(in) :: r
    integer :: i
    do i = 1, 100
      row(i, r) = int(i, 2)
    end do
  end subroutine
end program
