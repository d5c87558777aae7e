/* The last region of a worker is cancelled, within a user region. The program goes on without it,
 * ends as its argument says, or lets the worker's thread end. */
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *region(void *argument) {
  (void)argument;
#pragma omp parallel num_threads(2)
  {
#pragma pomp inst begin(visited)
#pragma omp cancel parallel
    abort();
#pragma pomp inst end(visited)
  }
#pragma pomp inst snapshot
  usleep(200000);
#pragma pomp inst snapshot
  return NULL;
}

int main(int count, char **words) {
  const char *how = count > 1 ? words[1] : "";
  pthread_t thread;
  if (!strcmp(how, "thread")) {
    pthread_create(&thread, NULL, region, NULL);
    pthread_join(thread, NULL);
  } else {
    region(NULL);
  }
  if (!strcmp(how, "pause"))
    omp_pause_resource_all(omp_pause_hard);
#pragma pomp inst begin(behind)
  usleep(100000);
  if (!strcmp(how, "kill"))
    kill(getpid(), SIGKILL);
#pragma pomp inst end(behind)
  return 0;
}
