// Tasks in every form, what waits for them, and dependences.
#include <omp.h>
#include <stdio.h>

static int work(int n) { return n * 2 + 1; }

static int tasks(int n) {
  int s = 0, x = 0, y = 0;
  int v[4] = {0};
#pragma omp parallel //= parallel 4
#pragma omp single //= single 4
  {
#pragma omp task //= task 1
    work(n);
#pragma omp task shared(s) untied //= task 1
    {
#pragma omp atomic //= atomic 1
      s += 1;
    }
#pragma omp task shared(s) if (n < 0) //= task 1
    {
#pragma omp atomic //= atomic 1
      s += 2;
    }
#pragma omp task shared(s) if (task : n > 0) final(n > 0) mergeable //= task 1
    {
#pragma omp atomic //= atomic 1
      s += 4;
#pragma omp task shared(s) //= task 1
#pragma omp atomic //= atomic 1
      s += 4;
    }
#pragma omp task shared(s) priority(2) default(shared) firstprivate(n) private(x) //= task 1
    {
      x = n;
#pragma omp atomic //= atomic 1
      s += x;
    }
#pragma omp task depend(out : x) shared(x) //= task 1
    x = 5;
#pragma omp task depend(in : x) depend(inout : y) shared(x, y) //= task 1
    y = x + 1;
#pragma omp task depend(mutexinoutset : y) shared(y) //= task 1
    y += 1;
#ifdef __clang__
#pragma omp task depend(inoutset : y) shared(y) //= clang: task 1
    y += 1;
#else
#pragma omp task depend(mutexinoutset : y) shared(y) //= gcc: task 1
    y += 1;
#endif
#pragma omp task depend(iterator(i = 0 : 4), out : v[i]) shared(v) //= task 1
    v[0] = v[1] = v[2] = v[3] = 1;
#pragma omp task depend(iterator(int i = 0 : 4 : 2), in : v[i]) affinity(v[0]) shared(v, s) //= task 1
#pragma omp atomic //= atomic 1
    s += v[3];
#pragma omp task affinity(iterator(i = 0 : 4) : v[i]) shared(v) //= task 1
    work(n);
#ifdef __clang__
#pragma omp task depend(inout : omp_all_memory) shared(y) //= clang: task 1
    y += 1;
#else
#pragma omp taskwait //= gcc: taskwait 1
    y += 1;
#endif
#pragma omp taskwait //= taskwait 1
#pragma omp taskwait depend(in : x) //= taskwait 1
#pragma omp taskyield //= taskyield 1
  }
  return s + 10 * x + 100 * y;
}

static int detached(void) {
  omp_event_handle_t event = (omp_event_handle_t)0;
  int done = 0;
#pragma omp parallel //= parallel 4
#pragma omp single //= single 4
  {
#pragma omp task detach(event) shared(done) //= task 1
    {
      done = 1;
      omp_fulfill_event(event);
    }
#pragma omp taskwait //= taskwait 1
  }
  return done;
}

static int groups(int n) {
  int s = 0, t = 0;
#pragma omp parallel //= parallel 4
#pragma omp master //= master 1
  {
#pragma omp taskgroup task_reduction(+ : s, t) //= taskgroup 1
    {
#pragma omp task in_reduction(+ : s) //= task 1
      s += n;
#pragma omp taskloop in_reduction(+ : t) grainsize(3) //= taskloop 1
      for (int i = 0; i < n; i++)
        t += i;
    }
#pragma omp taskloop reduction(+ : s) num_tasks(3) //= taskloop 1
    for (int i = 0; i < n; i++)
      s += i;
#pragma omp taskloop simd reduction(+ : s) collapse(2) //= taskloop simd 1
    for (int i = 0; i < n; i++)
      for (int j = 0; j < 2; j++)
        s += j;
#pragma omp taskloop grainsize(strict : 4) nogroup untied priority(1) if (taskloop : n) final(n) shared(t) //= taskloop 1
    for (int i = 0; i < n; i++)
#pragma omp atomic //= atomic 20
      t += i;
#pragma omp taskwait //= taskwait 1
  }
#pragma omp parallel //= parallel 4
  {
#pragma omp master taskloop shared(t) //= master taskloop 4
    for (int i = 0; i < n; i++)
#pragma omp atomic //= atomic 20
      t += i;
#pragma omp masked taskloop filter(0) num_tasks(strict : 2) //= masked taskloop 4
    for (int i = 0; i < n; i++)
      work(i);
#pragma omp master taskloop simd nogroup //= master taskloop simd 4
    for (int i = 0; i < n; i++)
      work(i);
#pragma omp masked taskloop simd //= masked taskloop simd 4
    for (int i = 0; i < n; i++)
      work(i);
  }
  return s + t;
}

static int dependence_objects(void) {
  int x = 0;
  omp_depend_t o;
#pragma omp depobj(o) depend(inout : x) //= depobj 1
#pragma omp parallel //= parallel 4
#pragma omp single //= single 4
  {
#pragma omp task depend(depobj : o) shared(x) //= task 1
    x = 1;
#pragma omp task depend(depobj : o) shared(x) //= task 1
    x += 1;
  }
#pragma omp depobj(o) update(in) //= depobj 1
#pragma omp depobj(o) destroy //= depobj 1
  return x;
}

int main(void) {
  int a = tasks(3), b = detached(), c = groups(20), d = dependence_objects();
  printf("%d %d %d %d\n", a, b, c, d);
  return 0;
}
