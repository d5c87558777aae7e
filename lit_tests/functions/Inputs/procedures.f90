module Work
  implicit none
contains
  recursive function Fib(n) result(r)
    integer, intent(in) :: n
    integer :: r
    if (n < 2) then
      r = n
    end if
    if (n < 2) then
      r = n; return
    end if
    r = Fib(n-1) + Fib(n-2)
  end function
  subroutine early(n, m)
    integer, intent(in) :: n
    integer, intent(inout) :: m
    if (n > 5) return
    m = m + 1
    if (n > &
        3) &
      return
    m = m + 1
    return
    entry late(n, m)
    m = m + 100
    entry later(n, m)
    m = m + 1000
    call inner
  contains
    subroutine inner
      m = m + 1
    end subroutine
  end subroutine
  pure integer function twice(n)
    integer, intent(in) :: n
    twice = 2 * n
  end function
  subroutine empty
  end subroutine
end module
subroutine old(n, *)
  integer n
  f(x) = x * 2
10 n = n + 1
  if (n .lt. 10) goto 10
  if (n .gt. 20) return 1
  goto 99
20 return
99 end
program Main_One
  use Work
  implicit none
  integer :: m, i
  m = 0
  call early(9, m)
  call early(4, m)
  call early(1, m)
  call late(1, m)
  call later(1, m)
  i = 1
  call old(i, *5)
  i = 30
  call old(i, *5)
  print *, 'not here'
5 continue
  call empty
!$omp parallel reduction(+: m)
  m = m + Fib(5)
!$omp end parallel
  print *, m, i, twice(2)
end program
