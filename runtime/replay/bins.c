/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bins.h"

/* The bin that is being filled, and the states that it has so far. */
struct filling {
  uint64_t bin, met;
};

static void add(const struct pomp_binning *of, struct filling *now, uint32_t state,
                uint64_t ticks) {
  if (!of->spent[state])
    of->met[now->met++] = state;
  of->spent[state] += ticks;
}

static void finish(const struct pomp_binning *of, struct filling *now) {
  uint64_t *ticks = of->ticks + now->bin * of->groups;
  uint32_t *most = of->most + 2 * now->bin;
  uint64_t best[2] = {0, 0};
  most[0] = most[1] = POMP_NO_STATE;
  for (uint64_t i = 0; i < now->met; i++) {
    uint32_t state = of->met[i];
    uint64_t spent = of->spent[state];
    unsigned side = of->side[state] & 1;
    of->spent[state] = 0;
    ticks[of->group[state]] += spent;
    if (spent > best[side] || (spent == best[side] && state < most[side])) {
      best[side] = spent;
      most[side] = state;
    }
  }
  now->met = 0;
}

static int64_t bin_end(const struct pomp_binning *of, uint64_t bin) {
  return of->start + (int64_t)(bin + 1) * of->width;
}

void pomp_bins(const struct pomp_binning *of) {
  struct filling now = {0, 0};
  int64_t stop = of->bins ? bin_end(of, of->bins - 1) : of->start;
  for (uint64_t i = 0; i < of->count; i++) {
    uint32_t state = of->state[i];
    int64_t from = of->begin[i], until = i + 1 < of->count ? of->begin[i + 1] : of->end;
    if (from < of->start)
      from = of->start;
    if (until > stop)
      until = stop;
    if (state >= of->states || of->group[state] >= of->groups)
      continue;
    while (from < until) {
      uint64_t bin = (uint64_t)((from - of->start) / of->width);
      if (bin < now.bin)
        break;
      while (now.bin < bin)
        finish(of, &now), now.bin++;
      int64_t cut = bin_end(of, bin) < until ? bin_end(of, bin) : until;
      add(of, &now, state, (uint64_t)(cut - from));
      from = cut;
    }
  }
  while (now.bin < of->bins)
    finish(of, &now), now.bin++;
}
