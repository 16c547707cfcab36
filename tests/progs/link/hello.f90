! SPDX-License-Identifier: Apache-2.0
! allocate of 4000 bytes (1000 reals), freed; prints their sum.
! Used by `sources` of wmcc-lib.sh.
program hello
	real, allocatable :: a(:)
	allocate(a(1000))
	a = 2
	print *, 'sum', sum(a)
	deallocate(a)
end program
