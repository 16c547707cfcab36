! SPDX-License-Identifier: Apache-2.0
! Static memory of Fortran: module arrays of 160000 and 148 bytes, SAVE,
! COMMON, blank COMMON, BLOCK DATA, EQUIVALENCE, threadprivate.
! Used by t4020.
module fields
  implicit none
  real(8) :: grid(1000,20)
  integer, save :: counts(37) = 5
  real(8), allocatable :: dyn(:)
  integer, save :: tp(13)
  !$omp threadprivate(tp)
end module
subroutine work(n, r)
  use fields
  implicit none
  integer n
  real(8) r
  real(8), save :: hist(123)
  real(8) :: big(40000)
  integer :: ia(10), ib(5)
  common /blk/ ia, ib
  real(4) :: e1(20), e2(10)
  equivalence (e1(5), e2(1))
  save e1
  real :: a0(7)
  common a0
  hist(mod(n,123)+1) = r
  big = r
  ia = n
  ib = n
  e1 = 1
  a0 = 1
  tp(1) = n
  grid = r + big(n)
  r = sum(hist)+sum(grid)+sum(ia)+e2(1)+tp(1)+counts(1)
end subroutine
program main
  use fields
  implicit none
  real(8) r
  integer :: q(10), q2(5)
  common /blk/ q, q2
  integer z(9)
  common /init/ z
  r = 1.d0
  call work(3, r)
  print *, r, q(1), z(2)
end program
block data
 common /init/ z
 integer z(9)
 data z /9*4/
end block data
