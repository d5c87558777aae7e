/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The command `pomp-clang`. It does what it can without Python, whose start takes longer than many
 * a compile. If nothing is added, it becomes the compiler. It hands the compile of OpenMP sources
 * to a server, if there is one. The script `pomp-clang-python` in its folder does all else. If a
 * compile crashes there, the compiler runs without instrumentation. */
#include "command.h"
#include "guarded.h"
#include "served.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Ends like the command: a core file of ours would be of no use. */
static int end_like(int status) {
  if (status >= 0)
    return status;
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  signal(-status, SIG_DFL);
  kill(getpid(), -status);
  return 128 - status; /* the signal is blocked */
}

/* Becomes the compiler if the part in Python has crashed, and returns the status otherwise. */
static int end_or_compile(int status, char **compiler) {
  if (!compiler || !is_crash(-status))
    return end_like(status);
  fprintf(stderr, "pomp-clang: internal error: %s; compiled without instrumentation\n",
          strsignal(-status));
  execvp(*compiler, compiler);
  return 127;
}

/* What the caller closed of standard input, output and error (2>&-) is open on nothing from here
 * on: no file that is opened later takes its place. */
static void open_standard_files(void) {
  int closed = 0;
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
    closed += fcntl(file, F_GETFD) < 0;
  while (closed-- > 0)
    open("/dev/null", O_RDWR);
}

int main(int count, char **arguments) {
  (void)count;
  char home[PATH_MAX], script[PATH_MAX + sizeof "/pomp-clang-python"];
  ssize_t size = readlink("/proc/self/exe", home, sizeof home - 1);
  home[size > 0 ? size : 0] = '\0';
  char *slash = strrchr(home, '/');
  if (!slash) {
    fputs("pomp-clang: there is no /proc, so its own folder is unknown; mount /proc\n", stderr);
    return 1;
  }
  *slash = '\0';
  struct command command = command_read(arguments);
  char **compiler = guarded_compiler(arguments);
  int status;
  if (command.kind == POMP_PLAIN)
    execvp(*command.compiler, command.compiler);
  open_standard_files();
  if (command.kind == POMP_OPENMP && served(&command, arguments, home, &status))
    return end_or_compile(status, compiler);
  snprintf(script, sizeof script, "%s/pomp-clang-python", home);
  if (compiler && guarded(script, arguments, &status))
    return end_or_compile(status, compiler);
  execv(script, arguments);
  perror("pomp-clang: pomp-clang-python does not start; reinstall pomp-clang");
  return 127;
}
