! SPDX-License-Identifier: Apache-2.0
! Says all that the module wmtrace knows: a block of 80000 bytes "field" and
! one of 400 "vector", freed; a pause around 8000 bytes.
program annotate
  use wmtrace
  implicit none
  real(8), allocatable :: field(:, :), hidden(:)
  integer, pointer :: vector(:)
  call wm_phase('set up   ')
  allocate(field(100, 100), vector(100))
  field = 1
  vector = 2
  call wm_name(field, 'field')
  call wm_name(vector(3:), 'vector')
  call wm_snapshot('all there')
  call wm_pause()
  allocate(hidden(1000))
  call wm_resume()
  call wm_phase('tear down')
  hidden = 3
  deallocate(hidden, field, vector)
  call wm_snapshot()
  call wm_phase()
  print *, 'done'
end program
