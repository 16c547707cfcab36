! SPDX-License-Identifier: Apache-2.0
! Local variables of Fortran, which procedures get by reference: t5325.
! Allocates nothing.
module work
  implicit none
  type point
    real(8) :: x, y
  end type
contains
  subroutine fill(x)
    real(8), intent(inout) :: x
    x = x + 1
  end subroutine
  recursive subroutine down(n)
    integer, intent(in) :: n
    real(8) :: here(2:4, -1:1)
    type(point) :: p(3)
    here = 0
    p%x = 0
    p%y = 0
    if (n > 0) call down(n - 1)
    call fill(here(3, 0))
    call fill(p(2)%y)
    if (sum(here) + p(2)%y < 0) stop 1
  end subroutine
end module

program main
  use work
  implicit none
  call down(2)
end program
