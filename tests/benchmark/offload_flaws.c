/* One flaw at target constructs for each name, and its repair: the same work without the flaw.
 *
 * offload_flaws NAME [repaired] prints the seconds that it takes. The device starts before.
 * Where the host is the device, a transfer brings data into the caches, for the kernel and for the
 * next transfer. So other data is used between transfers, in time that does not count.
 */
#include <omp.h>
#include <stdio.h>
#include <string.h>

#define SIZE 1000000
#define OTHER_DATA 8000000
#define SCRATCH 5000000

static double a[SIZE], b[SIZE], table[SIZE], scratch[SCRATCH], sums[100];
static double other_data[OTHER_DATA];
static double sink, beside;

static void use_other_data(void) {
  double begin = omp_get_wtime();
  for (int i = 0; i < OTHER_DATA; i += 8)
    other_data[i]++;
  beside += omp_get_wtime() - begin;
}

static double of_host(int steps) {
  double sum = 0;
  for (int step = 0; step < steps; step++)
    sum = sum * 0.999 + step;
  return sum;
}

static void repeated_transfer(void) {
  for (int visit = 0; visit < 40; visit++) {
#pragma omp target teams distribute parallel for map(to : a) map(tofrom : b)
    for (int i = 0; i < SIZE; i++)
      b[i] += a[i];
  }
}

static void mapped_once(void) {
#pragma omp target data map(to : a) map(tofrom : b)
  repeated_transfer();
}

static void redundant_update(int is_repaired) {
#pragma omp target data map(to : a) map(tofrom : b)
  for (int visit = 0; visit < 40; visit++) {
    if (!is_repaired || visit == 0) {
#pragma omp target update to(a)
      use_other_data();
    }
#pragma omp target teams distribute parallel for
    for (int i = 0; i < SIZE; i += 10)
      b[i] += a[i];
    use_other_data();
  }
}

static void round_trip(int is_repaired) {
#pragma omp target data map(to : a) map(tofrom : b)
  for (int visit = 0; visit < 40; visit++) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < SIZE; i += 10)
      b[i] += a[i];
#pragma omp target update from(b)
    use_other_data();
    if (!is_repaired) {
#pragma omp target update to(b)
      use_other_data();
    }
  }
}

static void with_scratch(void) {
  for (int visit = 0; visit < 20; visit++) {
#pragma omp target map(alloc : scratch)
    for (int i = 0; i < SCRATCH; i++)
      scratch[i] = i + visit;
  }
}

static void allocated_once(void) {
#pragma omp target data map(alloc : scratch)
  with_scratch();
}

static void add(void) {
  for (int i = 0; i < SIZE; i++)
    a[i]++;
}

static void mapped_in_vain(void) {
#pragma omp target data map(tofrom : a)
  add();
}

static void reads_table(int is_repaired) {
  for (int visit = 0; visit < 40; visit++) {
    if (is_repaired) {
#pragma omp target teams distribute parallel for map(to : table)
      for (int i = 0; i < SIZE; i += SIZE / 100)
        sums[i / (SIZE / 100)] = table[i];
    } else {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < SIZE; i += SIZE / 100)
        sums[i / (SIZE / 100)] = table[i];
    }
    use_other_data();
  }
}

static void writes_table(int is_repaired) {
  for (int visit = 0; visit < 40; visit++) {
    if (is_repaired) {
#pragma omp target teams distribute parallel for map(from : table)
      for (int i = 0; i < SIZE; i++)
        table[i] = i + visit;
    } else {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < SIZE; i++)
        table[i] = i + visit;
    }
    use_other_data();
  }
}

static void host_work(int is_repaired) {
  double sum = 0, result = 0;
#pragma omp target data map(tofrom : result)
  for (int visit = 0; visit < 30; visit++) {
    if (is_repaired) {
#pragma omp target map(tofrom : result) nowait
      for (int step = 0; step < 2000000; step++)
        result = result * 0.999 + step;
      sum += of_host(1000000);
#pragma omp taskwait
    } else {
#pragma omp target map(tofrom : result)
      for (int step = 0; step < 2000000; step++)
        result = result * 0.999 + step;
      sum += of_host(1000000);
    }
  }
  sink += sum + result;
}

static void small_kernels(int is_repaired) {
#pragma omp target data map(tofrom : a)
  if (is_repaired) {
#pragma omp target
    for (int i = 0; i < 100000; i++)
      a[i] += i;
  } else {
    for (int i = 0; i < 100000; i++) {
#pragma omp target map(to : i)
      a[i] += i;
    }
  }
}

static void one_team(int is_repaired) {
#pragma omp target data map(tofrom : a)
  for (int visit = 0; visit < 300; visit++) {
    if (is_repaired) {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < SIZE; i++)
        a[i] = a[i] * 0.999 + i;
    } else {
#pragma omp target parallel for
      for (int i = 0; i < SIZE; i++)
        a[i] = a[i] * 0.999 + i;
    }
  }
}

static void fallback(int is_repaired) {
  for (int visit = 0; visit < 100; visit++) {
    omp_set_default_device(is_repaired || visit % 2 ? 0 : omp_get_initial_device());
    double result = 0;
#pragma omp target map(tofrom : result)
    for (int step = 0; step < (omp_is_initial_device() ? 1500000 : 500000); step++)
      result = result * 0.999 + step;
    sink += result;
  }
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "";
  int is_repaired = argc > 2;
  for (int i = 0; i < SIZE; i++)
    a[i] = b[i] = table[i] = i;
  use_other_data();
  beside = 0;
#pragma omp target map(tofrom : sink)
  sink++;
  double begin = omp_get_wtime();
  if (!strcmp(name, "repeated-transfer"))
    is_repaired ? mapped_once() : repeated_transfer();
  else if (!strcmp(name, "redundant-update"))
    redundant_update(is_repaired);
  else if (!strcmp(name, "round-trip"))
    round_trip(is_repaired);
  else if (!strcmp(name, "repeated-allocation"))
    is_repaired ? allocated_once() : with_scratch();
  else if (!strcmp(name, "unused-mapping"))
    for (int visit = 0; visit < 40; visit++)
      is_repaired ? add() : mapped_in_vain();
  else if (!strcmp(name, "reads-table"))
    reads_table(is_repaired);
  else if (!strcmp(name, "writes-table"))
    writes_table(is_repaired);
  else if (!strcmp(name, "host-work"))
    host_work(is_repaired);
  else if (!strcmp(name, "small-kernels"))
    small_kernels(is_repaired);
  else if (!strcmp(name, "one-team"))
    one_team(is_repaired);
  else if (!strcmp(name, "fallback"))
    fallback(is_repaired);
  else
    return 2;
  double end = omp_get_wtime();
  printf("seconds %.6f\n", end - begin - beside);
  return sink < 0 || a[SIZE - 1] + b[SIZE - 1] < 0;
}
