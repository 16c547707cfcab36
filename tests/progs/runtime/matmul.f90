! SPDX-License-Identifier: Apache-2.0
! Three matrices of n x n reals for n = 2 to 120, freed, and what matmul and
! transpose allocate; libgfortran's matmul has AVX variants with realigned
! stacks.
! Used by t3020.
program matmul_avx
  implicit none
  real(8), allocatable :: a(:, :), b(:, :), c(:, :)
  integer :: n
  do n = 2, 120
     allocate (a(n, n), b(n, n))
     a = n
     b = 1
     c = matmul(a, b)
     c = matmul(transpose(a), c)
     deallocate (a, b)
  end do
  print *, c(1, 1)
end program
