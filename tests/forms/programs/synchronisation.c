// critical, atomic, flush, ordered, barrier, doacross, cancellation.
#include <stdio.h>

static int sum, flag;

static void criticals(void) {
#pragma omp parallel //= parallel 4
  {
#pragma omp critical //= critical 4
    sum++;
#pragma omp critical(named) //= critical 4
    sum++;
#pragma omp critical(hinted) hint(1) //= critical 4
    sum++;
#pragma omp critical(hinted) hint(0x1) //= critical 4
    sum++;
  }
}

static int atomics(void) {
  int v = 0, e = 1, d = 4;
  unsigned long w = 0;
#pragma omp parallel num_threads(2) private(v) firstprivate(e, d) //= parallel 2
  {
#pragma omp atomic //= atomic 2
    sum++;
#pragma omp atomic update //= atomic 2
    sum += 2;
#pragma omp atomic read //= atomic 2
    v = sum;
#pragma omp atomic write //= atomic 2
    flag = 1;
#pragma omp atomic capture //= atomic 2
    v = sum++;
#pragma omp atomic capture seq_cst //= atomic 2
    {
      v = sum;
      sum += 1;
    }
#pragma omp atomic seq_cst //= atomic 2
    sum += 1;
#pragma omp atomic release write //= atomic 2
    flag = 1;
#pragma omp atomic read acquire //= atomic 2
    v = flag;
#pragma omp atomic acq_rel capture hint(0) //= atomic 2
    v = sum += 1;
#pragma omp atomic relaxed //= atomic 2
    sum = sum + 1;
#pragma omp atomic compare //= atomic 2
    flag = flag == e ? d : flag;
#pragma omp atomic compare //= atomic 2
    if (flag == e) {
      flag = d;
    }
#pragma omp atomic compare capture //= atomic 2
    {
      v = flag;
      if (flag == e) {
        flag = d;
      }
    }
#pragma omp atomic compare weak seq_cst fail(relaxed) //= atomic 2
    if (flag == e) {
      flag = d;
    }
    if (v < 0)
#pragma omp atomic //= atomic 0
      sum++;
    else
#pragma omp atomic //= atomic 2
      w++;
  }
  return (int)w + (v > 100);
}

static void flushes(void) {
#pragma omp parallel //= parallel 4
  {
#pragma omp flush //= flush 4
#pragma omp flush(flag, sum) //= flush 4
#pragma omp flush acq_rel //= flush 4
#pragma omp flush acquire //= flush 4
#pragma omp flush release //= flush 4
#pragma omp barrier //= barrier 4
  }
}

static int orders(int n) {
  int s = 0, a[21] = {0};
#pragma omp parallel for ordered //= parallel for 4
  for (int i = 0; i < n; i++)
#pragma omp ordered //= ordered 20
    s = 2 * s % 1000 + i;
#pragma omp parallel //= parallel 4
#pragma omp for ordered schedule(dynamic) //= for 4
  for (int i = 0; i < n; i++) {
#pragma omp ordered threads //= ordered 20
    s = 2 * s % 1000 + i;
  }
#pragma omp parallel for ordered(1) //= parallel for 4
  for (int i = 1; i < n; i++) {
#pragma omp ordered depend(sink : i - 1) //= ordered 19
    a[i] = a[i - 1] + i;
#pragma omp ordered depend(source) //= ordered 19
  }
#pragma omp parallel for collapse(2) ordered(2) //= parallel for 4
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 5; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1) //= ordered 20
      a[i * 5 + j]++;
#pragma omp ordered depend(source) //= ordered 20
    }
  int t = 0;
#pragma omp simd //= simd 1
  for (int i = 0; i < n; i++)
#pragma omp ordered simd //! no-call
    t += a[i];
#pragma omp parallel for simd ordered //= parallel for simd 4
  for (int i = 0; i < n; i++)
#pragma omp ordered simd threads //! no-call
    a[i] += 1; /* a shared sum loses updates with clang 19, whatever `ordered` says */
  return s + t;
}

static int cancels(int n) {
  int s = 0;
#pragma omp parallel //= parallel 4
  {
#pragma omp for //= for 4
    for (int i = 0; i < n; i++) {
#pragma omp cancel for if (i < 0) //= cancel 20
#pragma omp cancellation point for //= cancellation point 20
#pragma omp atomic //= atomic 20
      s++;
    }
#pragma omp sections //= sections 4
    {
#pragma omp section
      {
#pragma omp cancel sections if (n < 0) //= cancel 1
        s++;
      }
    }
#pragma omp single //= single 4
#pragma omp taskgroup //= taskgroup 1
#pragma omp task //= task 1
    {
#pragma omp cancellation point taskgroup //= cancellation point 1
#pragma omp cancel taskgroup if (n < 0) //= cancel 1
#pragma omp atomic //= atomic 1
      s++;
    }
#pragma omp cancellation point parallel //= cancellation point 4
#pragma omp cancel parallel if (n < 0) //= cancel 4
  }
#ifdef __clang__ /* gcc 12 warns of its own nowait */
#pragma omp parallel for //= clang: parallel for 4
  for (int i = 0; i < n; i++) {
#pragma omp cancel for if (cancel : i < 0) //= clang: cancel 20
#pragma omp atomic //= clang: atomic 20
    s++;
  }
#pragma omp parallel sections //= clang: parallel sections 4
  {
#pragma omp section
    {
#pragma omp cancel sections if (n < 0) //= clang: cancel 1
      s++;
    }
  }
#else
  s += n + 1;
#endif
  return s;
}

int main(void) {
  criticals();
  int w = atomics();
  flushes();
  int o = orders(20), c = cancels(20);
  /* Criticals of several names do not keep one another from the sum. */
  printf("%d %d %d %d %d\n", sum > 16, flag, w, o, c);
  return 0;
}
