/* Regions that are left by jumps, and signal handlers that meet regions. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

static jmp_buf back;
static volatile int sum;
static volatile sig_atomic_t handled;

static void deep(int levels) {
#pragma pomp inst begin(deep)
  if (levels == 0)
    longjmp(back, 1);
  deep(levels - 1);
#pragma pomp inst end(deep)
}

static void jumps(void) {
  for (volatile int i = 0; i < 1000; i++) {
#pragma pomp inst begin(around)
    if (setjmp(back) == 0)
      deep(4);
#pragma omp atomic
    sum++;
#pragma pomp inst end(around)
  }
}

static void handler(int number) {
  (void)number;
#pragma pomp inst begin(handler)
  handled = handled + 1;
#pragma pomp inst end(handler)
}

static void interrupted(void) {
  struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
  signal(SIGALRM, handler);
  setitimer(ITIMER_REAL, &often, NULL);
  while (handled < 200) {
#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
      sum++;
    }
  }
  setitimer(ITIMER_REAL, &never, NULL);
}

int main(int count, char **words) {
  if (count > 1 && !strcmp(words[1], "jumps"))
    jumps();
  if (count > 1 && !strcmp(words[1], "handler"))
    interrupted();
  printf("%d\n", count > 1 && words[1][0] == 'j' ? sum : handled >= 200);
  return 0;
}
