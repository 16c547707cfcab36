program hello
  use mpi
  integer :: e
  call mpi_init(e)
  call mpi_finalize(e)
end program
