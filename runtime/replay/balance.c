/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "balance.h"

static int64_t barrier_of(const struct pomp_balancing *run, uint64_t arrival) {
  return run->object[run->arrival[arrival]] - run->first_barrier;
}

void pomp_sum_work(const struct pomp_balancing *run) {
  for (uint64_t arrival = 0; arrival < run->arrivals; arrival++) {
    double sum = 0;
    for (int64_t row = run->since[arrival] + 1; row <= run->arrival[arrival]; row++)
      sum += pomp_ticks_at(&run->work, (uint64_t)row);
    run->amount[arrival] = sum;
    run->done[barrier_of(run, arrival)] += sum;
    run->members[barrier_of(run, arrival)]++;
  }
}

void pomp_share_work(const struct pomp_balancing *run) {
  for (uint64_t arrival = 0; arrival < run->arrivals; arrival++) {
    double share = run->done[barrier_of(run, arrival)], amount = run->amount[arrival];
    double factor = share / (amount > 1 ? amount : 1);
    for (int64_t row = run->since[arrival] + 1; row <= run->arrival[arrival]; row++)
      run->scaled[row] = pomp_ticks_at(&run->changed, (uint64_t)row) * (factor < 1 ? factor : 1);
    run->amount[arrival] = share > amount ? share - amount : 0;
  }
  for (uint64_t arrival = 0; arrival < run->arrivals; arrival++)
    run->scaled[run->arrival[arrival]] += run->amount[arrival];
}
