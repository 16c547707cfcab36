! Each of 4 threads forgets 1,000 bytes in a parallel region of refine(), whose
! first statement is line 14.
! SPDX-License-Identifier: Apache-2.0
module mesh
  use omp_lib
  type kept
    real, pointer :: p(:)
  end type
  type(kept), save :: all(8)
contains
  subroutine refine(n)
    integer, intent(in) :: n
!$omp parallel num_threads(n)
    allocate(all(omp_get_thread_num() + 1)%p(250))
    all(omp_get_thread_num() + 1)%p = 1
!$omp end parallel
  end subroutine
end module
program main
  use mesh
  call refine(4)
end program
