! SPDX-License-Identifier: Apache-2.0
! arrays: allocatable ones, one that is made anew by assignment, COMMON.
program arrays
  implicit none
  real(8), allocatable :: a(:, :), b(:)
  real(8) :: c(200000), s
  common /block/ c
  integer :: k

  s = 0
  do k = 1, 30
    allocate (a(300, 300))
    a = k
    b = reshape(matmul(a, a), [90000])
    c(1:90000) = c(1:90000) + b
    s = s + sum(b) + c(7)
    deallocate (a)
  end do
  print '(es20.12)', s
end program
