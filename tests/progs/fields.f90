! Static: module array grid (80000 bytes), SAVE array history (16000), COMMON
! /state/ (8000).  Heap, by ALLOCATE: density 100000 doubles (800000 bytes),
! kept; work 50000 doubles (400000), five times, deallocated each time.
! SPDX-License-Identifier: Apache-2.0
module shared_fields
  implicit none
  double precision :: grid(10000)
  double precision, allocatable :: density(:)
end module shared_fields

subroutine step(i, total)
  use shared_fields
  implicit none
  integer, intent(in) :: i
  double precision, intent(inout) :: total
  double precision, allocatable :: work(:)
  double precision, save :: history(2000)
  double precision :: state(1000)
  common /state/ state

  allocate(work(50000))
  work = dble(i)
  history(mod(i, 2000) + 1) = sum(work)
  state(mod(i, 1000) + 1) = total
  total = total + history(mod(i, 2000) + 1) + history(mod(3 * i, 2000) + 1) &
       + grid(i) + density(i)
  deallocate(work)
end subroutine step

program fields
  use shared_fields
  implicit none
  integer :: i
  double precision :: total

  allocate(density(100000))
  density = 1.0d0
  grid = 2.0d0
  total = 0
  do i = 1, 5
     call step(i, total)
  end do
  print '(a,f12.1)', 'total ', total
end program fields
