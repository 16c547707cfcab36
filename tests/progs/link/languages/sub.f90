! SPDX-License-Identifier: Apache-2.0
! For main.cc: work(n) has allocate of 4 n bytes, freed.
! Used by t1060.
subroutine work(n) bind(c)
	use iso_c_binding
	integer(c_int), value :: n
	real, allocatable :: a(:)
	allocate(a(n))
	a = 2
	write (*, *) 'sum', sum(a)
end subroutine
