! Allocatable arrays of a module, two of them in one statement, and arrays that
! no static variable holds.
module fields
  implicit none
  real(8), allocatable :: pressure(:), speed(:, :)
  integer, allocatable :: cell(:)
  real(8), pointer :: border(:) => null()
  type part
    real(8), allocatable :: piece(:)
  end type part
  type(part) :: parts(2)
end module fields

program arrays
  use fields
  implicit none
  real(8), allocatable :: mine(:)
  integer :: i, step

  allocate (pressure(100), speed(10, 20))
  allocate (border(7))
  do step = 1, 3
    allocate (cell(50))
    do i = 1, 50
      cell(i) = step*i
    end do
    deallocate (cell)
  end do
  do i = 1, 100
    pressure(i) = i
  end do
  do i = 1, 200
    speed(mod(i - 1, 10) + 1, (i - 1)/10 + 1) = pressure(mod(i, 100) + 1)
  end do
  do i = 1, 7
    border(i) = speed(i, i)
  end do
  do step = 1, 2
    allocate (parts(step)%piece(5))
    parts(step)%piece(1:4:3) = step
  end do
  call fill(mine, 30)
  print *, sum(pressure), sum(speed), sum(border), sum(mine), parts(2)%piece(4)
contains
  subroutine fill(a, n)
    real(8), allocatable, intent(out) :: a(:)
    integer, intent(in) :: n
    integer :: k

    allocate (a(n))
    do k = 1, n
      a(k) = k
    end do
  end subroutine fill
end program arrays
