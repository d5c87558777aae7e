/* The program's surroundings at its start are gone when it continues. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int sum;

static void work(void) {
  for (int i = 0; i < 10; i++) {
#pragma omp parallel num_threads(2)
#pragma omp critical(counting)
    sum++;
  }
}

/* A region that is new, for which the experiment may have to grow. */
static void more(void) {
#pragma omp parallel num_threads(2)
#pragma omp critical(more)
  sum++;
}

int main(int count, char **words) {
  const char *gone = count > 1 ? words[1] : "";
  work();
  if (!strcmp(gone, "descriptors"))
    for (int fd = 3; fd < 1024; fd++)
      close(fd);
  if (!strcmp(gone, "folder") && system("rm -rf run"))
    return 1;
  if (!strcmp(gone, "root") && (chroot("empty") || chdir("/")))
    return 1;
  if (!strcmp(gone, "rights") && setuid(65534))
    return 1;
  if (!strcmp(gone, "memory")) {
    struct rlimit limit = {300u << 20, 300u << 20};
    setrlimit(RLIMIT_AS, &limit);
  }
  work();
  more();
  printf("%d\n", sum);
  return 5;
}
