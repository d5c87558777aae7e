! options: gcc -std=legacy -Wno-pedantic -Wno-implicit-interface -Wno-line-truncation
! Fixed form: columns, blanks without a meaning, labels, and units of older standards.
      BLOCK DATA START
      INTEGER N, M
      COMMON /COUNTS/ N, M
      INTEGER K
      COMMON /OWN/ K
c$omp threadprivate(/own/)
      DATA N, M /0, 1/
      END

      SUBROUTINE LOOPS(A, N)
      INTEGER N, A(N), I, J, S
      REAL*8 F, X
      F(X) = X * 2
      DATA S /0/
  900 FORMAT (' S', I4)
c$omp parallel do shared(a) private(j) != parallel do 4
      DO 10 I = 1, 4
      DO 10 J = 1, 4
   10 A(I) = A(I) + INT(F(1D0)) *
     &         J
C$OMP PARALLEL DEFAULT(NONE) != parallel 4
*$omp+ SHARED(A, N)
c     a comment between the lines of a directive
!$OMP1REDUCTION(+:S)
c$omp do schedule(static) != do 4
      D O 20 I = 1 , N
   20 A(I) = A(I) + 1
C$OMP END DO
!$OMP  DO                     != do 4
      DO30I=1,N
        IF (A(I) .GT. 5) GOTO 25
        S = S + 1
   25   CONTINUE
   30 CONTINUE
!$OMPENDDONOWAIT
!$omp barrier                 != barrier 4
c$omp endparallel
!$OMP PARALLELDO PRIVATE(J)   != parallel do 4
      DO 40 I = 1, 2
        A(I) = 0
        DO 40, J = 1, 2
          A(I) = A(I) + J
   40   CONTINUE
!$OMPEND PARALLEL DO
      WRITE (*, 900) S
      E N D

      SUBROUTINE SHARED_ENDS(A, N)
      INTEGER N, A(N), I, J
!$OMP PARALLEL PRIVATE(I, J)  != parallel 4
      DO 50 I = 1, 3
!$OMP DO                      !! block
      DO 50 J = 1, N
   50 A(J) = A(J) + I
!$OMP END PARALLEL
      END

      SUBROUTINE FIRST(N)
      INTEGER N, D O, IF(3), I5
!$    INTEGER OMP_GET_NUM_THREADS
!$    EXTERNAL OMP_GET_NUM_THREADS
      CHARACTER*70 TEXT
      DO = 1
      IF(1) = 2; IF(2) = 3
      TEXT = 'a ! b; C$OMP BARRIER
     1 it''s'
c$omp parallel                != parallel 4
c$omp critical (name)      != critical 4
      N = N + 1
c$omp end critical (name)
c$    DO 60 I5 = 1, 2
C$OMP ATOMIC                  != atomic 8
c$    N = N +
c$   &    1
*$ 60 CONTINUE
C$OMP ATOMIC                  != atomic 4
      N = N + 1 ; IF (N .LT. 0) STOP
C$OMP ENDPARALLEL
      PRINT *, TEXT, DO, IF(1)
      RETURN
      ENTRY AGAIN(N)
      DO = 3
c$omp parallel sections       != parallel sections 4
      N = N + DO
c$omp section
      CONTINUE
c$omp end parallel sections
      PRINT *, DO
      END

      PROGRAM MAIN
      INTEGER A(8), N, M, K, C
      INTEGER T
      COMMON /COUNTS/ N, M
      COMMON /OWN/ K
c$omp threadprivate(/own/)
      A = 0
      K = 7
      T = 1 +
     1 2
      CALL LOOPS(A, 8)
      CALL SHARED_ENDS(A, 8)
      C = M
      CALL FIRST(C)
      CALL AGAIN(C)
!$OMP PARALLEL COPYIN(/OWN/), REDUCTION(+:                              ignored != parallel 4
!$OMP+ C)
      C = C + K
!$OMP END PARALLEL
!p$   C = C + 1
      PRINT *, A, C, T, N
      END
