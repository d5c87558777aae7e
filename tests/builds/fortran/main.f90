program flow
  use grid
  implicit none
  integer :: n
  external :: old, part, more
  n = 0
  call fill
  call old(n)
  call part(n)
  call more(n)
  print '(i0, 1x, f0.1)', n, sum(cells)
end program
