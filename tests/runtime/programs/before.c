/* Work between the begin of the measurement and its first event. */
#include "pomp_test.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

FUNCTION(func, "main", 30);

enum { MANY = 20000 };

static OMPRegDescr regions[MANY], *pointers[MANY];

/* More of them than the first megabyte has room for. */
static void register_many(void) {
  for (int i = 0; i < MANY; i++) {
    regions[i] = func;
    regions[i].begin_line1 = regions[i].begin_lineN = 1000 + i;
    regions[i].data = 0;
    pointers[i] = &regions[i];
  }
  POMP_Register(pointers, pointers + MANY);
}

static void forks(void) {
  pid_t child = fork();
  if (child == 0)
    _exit(0);
  waitpid(child, 0, 0);
}

static void visit(void) {
  POMP_Begin(&func);
  sleep_ms(5);
  POMP_End(&func);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "kill"))
      kill(getpid(), SIGKILL);
    if (!strcmp(argv[i], "exec"))
      execlp("true", "true", (char *)0);
    if (!strcmp(argv[i], "_exit"))
      _exit(0);
    if (!strcmp(argv[i], "many"))
      register_many();
    if (!strcmp(argv[i], "fork"))
      forks();
    if (!strcmp(argv[i], "move") && (mkdir("below", 0777) || chdir("below")))
      return 1;
    if (!strcmp(argv[i], "snapshot"))
      POMP_Snapshot();
    if (!strcmp(argv[i], "visit"))
      visit();
    if (!strcmp(argv[i], "visit_last"))
      POMP_Begin(&regions[MANY - 1]), POMP_End(&regions[MANY - 1]);
  }
  return 0;
}
