! SPDX-License-Identifier: Apache-2.0
! 100 allocate of 4 to 400 bytes, freed, by the threads of a team; prints a
! sum.
! Used by t1060.
program omp
	integer :: i, total
	real, allocatable :: a(:)
	total = 0
	!$omp parallel do private(a) reduction(+:total)
	do i = 1, 100
		allocate(a(i))
		a = 1
		total = total + size(a)
		deallocate(a)
	end do
	print *, total
end program
