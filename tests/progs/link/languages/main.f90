! SPDX-License-Identifier: Apache-2.0
! allocate of 400 bytes (100 reals), kept; calls part(10) of C++.
! Used by t1060.
program main
	integer, external :: part
	real, allocatable :: a(:)
	allocate(a(100))
	a = 1
	write (*, *) 'fortran', sum(a), part(10)
end program
