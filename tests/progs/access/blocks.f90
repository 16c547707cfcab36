! SPDX-License-Identifier: Apache-2.0
! Arrays and strings that are assigned whole: prints where they are.  Used by
! t3430.
module arrays
  real(8) :: a(5000), b(5000), c(100, 50)
  character(len=300) :: s, t
contains
  subroutine assign()
    b = a
    c = 0
    c(:, 1:50) = reshape(b, [100, 50])
    t = s
    do i = 1, 500
      a(i:i + 2000) = b(1:2001)
      c(:, 3) = a(1:100) * i
    end do
  end subroutine
end module

program p
  use arrays
  a = 1
  s = 'words'
  call assign()
  print '(z0,1x,z0,1x,z0)', loc(a), loc(b), loc(c)
  if (b(3) + c(3, 3) < 0) stop 1
end program
