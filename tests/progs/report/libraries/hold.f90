! SPDX-License-Identifier: Apache-2.0
! allocate of 24000 and 4000 bytes in two contained procedures of one name,
! kept; 40000 bytes in a module.
! Used by t5170.
module store
  real(8), allocatable :: field(:)
  real(8), allocatable :: other(:)
  real(8) :: fixed(5000)
contains
  subroutine fill(n)
    integer, intent(in) :: n
    call inner(n)
  contains
    subroutine inner(n)
      integer, intent(in) :: n
      allocate(field(n))
      field = n
      fixed(1) = field(2)
    end subroutine
  end subroutine
  subroutine more()
    call inner()
  contains
    subroutine inner()
      allocate(other(500))
    end subroutine
  end subroutine
end module
program hold
  use store
  call fill(3000)
  call more()
  if (fixed(1) < 0) print *, field(3)
end program
