! SPDX-License-Identifier: Apache-2.0
! Static variables of Fortran: t5310.  Prints where their members and elements
! lie and what they are called (say.c).  Allocates one array of 72 bytes.
module fields
  implicit none
  type point
    real(8) :: x, y
    integer :: k(3)
  end type
  real(8) :: a(0:9, -2:5)
  integer :: long(300)
  type(point) :: p(5), single
  real(8), allocatable :: late(:,:)
  character(len=10) :: word
  complex(8) :: z(2)
  integer :: counter
contains
  subroutine tell(where, bytes, text)
    use iso_c_binding
    integer(8), intent(in) :: where
    integer, intent(in) :: bytes
    character(len=*), intent(in) :: text
    interface
      subroutine say_text(at, bytes, text) bind(c)
        import
        integer(c_int64_t), value :: at, bytes
        character(kind=c_char) :: text(*)
      end subroutine
    end interface
    call say_text(where, int(bytes, 8), text // c_null_char)
  end subroutine
  subroutine step
    integer, save :: calls = 0
    real :: c1, c2(4)
    integer :: n
    common /block/ c1, c2
    common n
    calls = calls + 1
    n = calls
    call tell(loc(calls), 4, 'fields::step::calls')
    call tell(loc(c1), 4, '/block/c1')
    call tell(loc(c2(3)), 4, '/block/c2(3)')
    call tell(loc(n), 4, '//n')
  end subroutine
end module

program main
  use fields
  implicit none
  real, save :: here(7, 2)
  integer(8) :: at
  integer :: left(4), right(2)
  equivalence (left(3), right(1))
  save left, right

  allocate(late(3, 3))
  call step
  call tell(loc(a(0, -2)), 8, 'fields::a(0,-2)')
  call tell(loc(a(9, 5)), 8, 'fields::a(9,5)')
  call tell(loc(a(4, 0)), 8, 'fields::a(4,0)')
  call tell(loc(a(4, 0)), 16, 'fields::a(4:5,0)')
  call tell(loc(long(299)), 4, 'fields::long(299)')
  call tell(loc(p(2)%k(1)), 4, 'fields::p(2)%k(1)')
  call tell(loc(single%y), 8, 'fields::single%y')
  ! in a call loc(word) would hand over the length of word, too
  at = loc(word)
  call tell(at, 10, 'fields::word')
  call tell(at + 2, 1, 'fields::word(3:3)')
  call tell(loc(z(2)), 16, 'fields::z(2)')
  call tell(loc(z(2)) + 8, 8, 'fields::z(2)%im')
  call tell(loc(counter), 4, 'fields::counter')
  call tell(loc(here(5, 2)), 4, 'MAIN__::here(5,2)')
  left(1) = 1
  right(2) = 2
  call tell(loc(left(2)), 4, 'MAIN__::left(2)')
end program
