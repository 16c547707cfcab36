! SPDX-License-Identifier: Apache-2.0
! Names that need no pointer, regions, marks, of Fortran: prints the addresses
! of an array and of a COMMON block.  Used by t2022.
program regions
  use wmtrace
  use, intrinsic :: iso_c_binding
  implicit none
  real(8), allocatable :: a(:), b(:)
  real(8), target, save :: field(1000)
  real(8), target :: x(10), y(20)
  common /both/ x, y
  call wm_region('lower', field(1:100), size(field(1:100)), &
    storage_size(field) / 8)
  call wm_region('both  ', x, 30_8, storage_size(x) / 8)
  call wm_name_next('next')
  allocate(a(125))
  allocate(b(250))
  call wm_name(b, 'wrong')
  call wm_unname(b)
  call wm_name(b(100:), 'inside')
  call wm_mark('half way')
  call wm_region_end(y(20))
  call wm_mark()
  a = 1
  b = 2
  print '(2i20)', transfer(c_loc(field), 0_c_intptr_t), &
    transfer(c_loc(x), 0_c_intptr_t)
  if (sum(a) + sum(b) < 0) print *, x(1) + y(1)
end program
