! SPDX-License-Identifier: Apache-2.0
! Arrays of one module with long names that begin alike, 8 KB each, and an
! allocatable array of a derived type: one block of 32,000 bytes.
module ocean_circulation_fields
  implicit none
  real(8) :: velocity_component_east(1000), velocity_component_north(1000)
  real(8) :: velocity_component_up(1000)
  type place
    real(8) :: x, y
  end type
  type marker
    type(place) :: now
    real(8) :: mass
    integer :: number, unused
  end type
  type(marker), allocatable :: markers(:)
end module

program main
  use ocean_circulation_fields
  integer :: i
  allocate (markers(1000))
  do i = 1, 1000
    velocity_component_east(i) = i
    velocity_component_north(i) = i
    velocity_component_up(i) = i
  end do
  do i = 1, 1000
    markers(i)%now%y = i
    markers(i)%number = i
  end do
  if (markers(77)%number /= 77) stop 1
end program
