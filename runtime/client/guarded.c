/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "guarded.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { FORWARDED = sizeof forwarded / sizeof *forwarded };

static pid_t child;

char **guarded_compiler(char **arguments) {
  char **word = arguments + 1;
  while (*word && strncmp(*word, "--pomp-", strlen("--pomp-")) == 0) {
    if (strcmp(*word, "--pomp-strict") == 0)
      return NULL;
    word++;
  }
  const char *flags = getenv("POMP_FLAGS");
  if (flags && strstr(flags, "--pomp-strict"))
    return NULL;
  return *word && strcmp(*word, "--") == 0 && word[1] ? word + 1 : NULL;
}

bool is_crash(int signal_number) {
  return signal_number == SIGSEGV || signal_number == SIGBUS || signal_number == SIGILL ||
         signal_number == SIGABRT || signal_number == SIGFPE;
}

/* What a terminal sends, the child gets, too. */
static void forward(int number, siginfo_t *about, void *context) {
  (void)context;
  int error = errno;
  if (about->si_code != SI_KERNEL)
    kill(child, number);
  errno = error;
}

static int waited(void) {
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return 1;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

bool guarded(const char *program, char **arguments, int *status) {
  sigset_t blocked, mask;
  sigemptyset(&blocked);
  for (size_t i = 0; i < FORWARDED; i++)
    sigaddset(&blocked, forwarded[i]);
  sigprocmask(SIG_BLOCK, &blocked, &mask);
  child = fork();
  if (child == 0) {
    sigprocmask(SIG_SETMASK, &mask, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    execv(program, arguments);
    perror("pomp-clang: pomp-clang-python does not start; reinstall pomp-clang");
    _exit(127);
  }
  struct sigaction before[FORWARDED];
  for (size_t i = 0; i < FORWARDED && child > 0; i++) {
    struct sigaction handler = {.sa_sigaction = forward, .sa_flags = SA_SIGINFO};
    sigaction(forwarded[i], NULL, &before[i]);
    if (before[i].sa_handler != SIG_IGN)
      sigaction(forwarded[i], &handler, NULL);
  }
  sigprocmask(SIG_SETMASK, &mask, NULL);
  if (child < 0)
    return false;
  *status = waited();
  for (size_t i = 0; i < FORWARDED; i++)
    sigaction(forwarded[i], &before[i], NULL);
  return true;
}
