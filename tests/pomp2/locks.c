/* A lock and a nestable one, initialized and destroyed; control and a user region. */
#include <omp.h>

int main(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  int count = 0;
#pragma pomp inst init
#pragma pomp inst begin(whole)
  omp_init_lock_with_hint(&lock, omp_sync_hint_none);
  omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(2)
  {
    omp_set_lock(&lock);
    count++;
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    count++;
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
  }
  omp_destroy_nest_lock(&nest);
  omp_destroy_lock(&lock);
#pragma pomp inst end(whole)
  return count - 4;
}
