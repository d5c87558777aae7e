! Tasks as flang 19 and gfortran know them, and locks by other names.
module work
  use omp_lib, only: omp_lock_kind, omp_nest_lock_kind, omp_init_lock, omp_destroy_lock, &
    acquire => omp_set_lock, omp_unset_lock, omp_test_lock, omp_init_nest_lock, &
    omp_destroy_nest_lock, omp_set_nest_lock, omp_unset_nest_lock, try => omp_test_nest_lock
  implicit none
  integer(omp_lock_kind) :: locks(2)
contains
  recursive function fib(n) result(r)
    integer, intent(in) :: n
    integer :: r
    integer :: a, b
    if (n < 2) then
      r = n
      return
    end if
    !$omp task shared(a) default(none) firstprivate(n) != task 12
    a = fib(n - 1)
    !$omp end task
    !$omp task shared(b) if(n > 3) != task 12
    b = fib(n - 2)
    !$omp endtask
    !$omp taskwait != taskwait 12
    r = a + b
  end function fib

  subroutine groups(total)
    integer, intent(inout) :: total
    integer :: i, x
    x = 4
    !$omp parallel != parallel 4
    !$omp single != single 4
    !$omp taskgroup != taskgroup 1
    do i = 1, 5
      !$omp task depend(inout: total) firstprivate(x) != task 5
      total = total + x ! not i, which flang 19 copies when the task runs
      x = 0
      !$omp end task
    end do
    !$omp taskyield != taskyield 1
    !$omp end taskgroup
    !$omp end single nowait
    !$omp end parallel
  end subroutine groups

  subroutine locked(total)
    integer, intent(inout) :: total
    integer(omp_nest_lock_kind) :: nest
    integer :: i
    call omp_init_lock(locks(2))
    call omp_init_nest_lock(nest)
    !$omp parallel do != parallel do 4
    do i = 1, 10
      call acquire(locks(2)); total = total + i != lock 10
      call omp_unset_lock(locks(2))
      CALL OMP_SET_NEST_LOCK (nest) != lock 10
      if (try(nest) == 2) call omp_unset_nest_lock(nest) != lock 10
      call omp_unset_nest_lock(nest)
    end do
    if (omp_test_lock(locks(2))) then != lock 1
      call omp_unset_lock(locks(2))
    end if
    call omp_destroy_nest_lock(nest)
    call omp_destroy_lock(locks(2))
  end subroutine locked
end module work

program main
  use work, only: fib, groups, locked
  implicit none
  integer :: n
  !$omp parallel != parallel 4
  !$omp master != master 1
  n = fib(6)
  !$omp end master
  !$omp end parallel
  print *, n
  call groups(n)
  print *, n
  call locked(n)
  print *, n
end program main
