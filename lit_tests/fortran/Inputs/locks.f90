program lk
  use omp_lib, sl => omp_set_lock
  implicit none
  integer(omp_lock_kind) :: l
  integer(omp_nest_lock_kind) :: nl
  integer :: n, i
  n = 0
  call omp_init_lock(l)
  call omp_init_nest_lock(nl)
  !$omp parallel do
  do i = 1, 10
    call sl(l)
    n = n + 1
    call omp_unset_lock(l)
    call omp_set_nest_lock(nl)
    if (omp_test_nest_lock(nl) == 2) call omp_unset_nest_lock(nl)
    call omp_unset_nest_lock(nl)
    if (omp_test_lock(l)) then
      call omp_unset_lock(l)
    end if
  end do
  call omp_destroy_lock(l)
  call omp_destroy_nest_lock(nl)
  print *, n
end program
