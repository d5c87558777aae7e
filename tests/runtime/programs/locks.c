#include "pomp_test.h"

#include <omp.h>
#include <string.h>

PLACE(par, "parallel", 10);
PLACE_WITH(set, "lock", "lock", 20, 0);
PLACE_WITH(unset, "lock", "lock", 30, POMP_RELEASE);
PLACE_WITH(test, "lock", "lock", 40, 0);
PLACE_WITH(nest, "lock", "nest", 50, 0);
PLACE_WITH(unnest, "lock", "nest", 60, POMP_RELEASE);
PLACE_WITH(testnest, "lock", "nest", 70, 0);
PLACE_WITH(alien, "lock", "lock", 80, POMP_RELEASE);

static omp_lock_t lock;
static omp_nest_lock_t nested;

static void contended(void) {
  PARALLEL(par, num_threads(4))
  POMP_Set_lock(&lock, &set);
  sleep_ms(20);
  POMP_Unset_lock(&lock, &unset);
  END_PARALLEL(par)
}

static void tested(void) {
  int got = POMP_Test_lock(&lock, &test);
  int again = POMP_Test_lock(&lock, &test);
  printf("test %d %d\n", got != 0, again != 0);
  sleep_ms(10);
  POMP_Unset_lock(&lock, &unset);
}

static void nestable(void) {
  POMP_Set_nest_lock(&nested, &nest);
  sleep_ms(10);
  POMP_Set_nest_lock(&nested, &nest);
  printf("nest %d\n", POMP_Test_nest_lock(&nested, &testnest));
  sleep_ms(10);
  for (int i = 0; i < 3; i++)
    POMP_Unset_nest_lock(&nested, &unnest);
  omp_set_nest_lock(&nested);
  POMP_Unset_nest_lock(&nested, &unnest);
}

/* One thread releases a lock that another set: undefined in OpenMP, but it happens. */
static void handed_over(void) {
  omp_set_lock(&lock);
  POMP_Unset_lock(&lock, &alien);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  omp_init_lock(&lock);
  omp_init_nest_lock(&nested);
  if (!strcmp(what, "contended"))
    contended();
  if (!strcmp(what, "tested"))
    tested();
  if (!strcmp(what, "nestable"))
    nestable();
  if (!strcmp(what, "handed_over"))
    handed_over();
  if (!strcmp(what, "kept")) {
    POMP_Set_lock(&lock, &set);
    sleep_ms(10);
    if (argc > 2)
      abort();
  }
  return 0;
}
