/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "events/prices.h"

double pomp_price_mean(enum pomp_priced kind, double surplus) {
  double ticks = 0, count = 0;
  struct pomp_thread *t = atomic_load_explicit(&pomp_threads, memory_order_acquire);
  for (; t; t = t->next) {
    ticks += (double)__atomic_load_n(&t->prices[kind].ticks, __ATOMIC_RELAXED);
    count += (double)__atomic_load_n(&t->prices[kind].count, __ATOMIC_RELAXED);
  }
  double mean = count > 0 ? ticks / count - surplus : 0;
  return mean > 0 ? mean : 0;
}
