! SPDX-License-Identifier: Apache-2.0
! 6 arrays of 1 MiB at one line, for variables of a module and members of one
module state
  implicit none
  type :: domain
    integer :: n = 0
    real(8), allocatable :: heat(:), flux(:, :)
  end type domain
  real(8), allocatable :: u(:), v(:, :), w(:, :, :)
  real(8), pointer :: view(:) => null()
  type(domain), save :: box
contains
  subroutine make(n)
    integer, intent(in) :: n
    allocate (u(n), v(n/2, 2), w(n/4, 2, 2), box%heat(n), box%flux(n/2, 2), view(n))
    u = 1; v = 2; w = 3; box%heat = 4; box%flux = 5; view = 6
  end subroutine make
end module state

program held
  use state
  implicit none
  call make(131072)
  print *, sum(u) + sum(v) + sum(w) + sum(box%heat) + sum(box%flux) + sum(view)
  deallocate (u, v, w, box%heat, box%flux, view)
end program held
