/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lock_rows.h"

#include <stdbool.h>
#include <string.h>

void pomp_number_locks(const struct pomp_lock_rows *of, int32_t *numbers) {
  for (uint64_t i = 0; i < of->count; i++)
    numbers[of->first[of->location[i]] + of->row[i]] = (int32_t)i;
}

void pomp_pick(const struct pomp_lock_rows *of, uint64_t rows, const int64_t *at,
               const void *const *columns, uint64_t size, void *picked) {
  char *to = picked;
  for (uint64_t i = 0; i < rows; i++, to += size) {
    const char *column = columns[of->location[at[i]]];
    memcpy(to, column + (uint64_t)of->row[at[i]] * size, size);
  }
}

void pomp_lock_needs(const struct pomp_needing *run) {
  for (uint64_t i = 0; i < run->count; i++) {
    int32_t number = run->number[i];
    int64_t freed = run->freed[number], asked = run->asked[i], got = run->got[i];
    bool was_held = freed > 0 && freed <= got;
    run->object[i] = was_held ? (int32_t)(run->objects + run->before[number]) : -1;
    run->lag[i] = (double)(got - (was_held && freed > asked ? freed : asked));
  }
}
