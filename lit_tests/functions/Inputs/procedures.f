      n = 0
      call count(n, 1)
      call count(n, 2)
      call COUNT(n, 3)
      i = twice(n) + twice(1)
      print *, n
      end
      SUBROUTINE COUNT(N, M)
      N = N + 1
      IF (M .EQ. 1) GO TO 99
      N = N + 1
      IF (M .EQ. 2 .OR.
     &    M .EQ. 4) R E T U R N
      N = N + 2
 99   END
      function twice(n)
      twice = 2 * n; if (n .gt. 3)                              return
      twice = twice
      return
      end
