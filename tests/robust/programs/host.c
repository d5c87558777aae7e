/* Loads and closes libraries, from several threads. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int sum;
static char **paths;
static int path_count, rounds;

static void *worker(void *number) {
  int first = *(int *)number;
  for (int i = 0; i < rounds; i++) {
    void *library = dlopen(paths[(first + i) % path_count], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      fprintf(stderr, "%s\n", dlerror());
      exit(1);
    }
    int (*plugin)(void) = (int (*)(void))dlsym(library, "plugin");
    for (int n = 0; n < 3; n++)
      sum += plugin();
    dlclose(library);
  }
  return NULL;
}

int main(int count, char **words) {
  pthread_t threads[4];
  int numbers[] = {0, 1, 2, 3};
  rounds = atoi(words[1]);
  paths = words + 2;
  path_count = count - 2;
  for (int i = 0; i < 4; i++)
    if (pthread_create(&threads[i], NULL, worker, &numbers[i]) != 0)
      return 1;
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  printf("%d\n", sum);
  return 0;
}
