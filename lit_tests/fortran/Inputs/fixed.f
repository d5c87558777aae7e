C     Labels, blanks that mean nothing, END directives that are left out.
      PROGRAM FIXED
      INTEGER I, J, N
      REAL X(100,100)
      N = 0
C$OMP PARALLEL PRIVATE(I, J)
C$OMP&SHARED(X)
*$OMP DO
      DO 10 I = 1, 100
      DO10J=1,100
   10 X(I,J) = I*J
!$OMP SINGLE
      N = N + 1
!$OMP ENDSINGLE
!$OMP ATOMIC
      N = N + 1
!$OMP SECTIONS
!$OMP SECTION
      X(1,1) = 2
!$OMP SECTION
      X(2,2) = 2
!$OMP ENDSECTIONS
!$OMP WORKSHARE
      X(:,1) = X(:,1) + 1
!$OMP END WORKSHARE
!$OMP END PARALLEL
!$OMP PARALLELDO DEFAULT(NONE) SHARED(X) LASTPRIVATE(N) PRIVATE(J)
!$OMP& SCHEDULE(DYNAMIC, 3)
      D O 20 I = 1, 10 0
        DO J = 1, 100
          X(I, J) = X(I, J) + 1
        ENDDO
20    N = I
      PRINT *, N, INT(X(2, 2)), INT(X(5, 5))
      END
