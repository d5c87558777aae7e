/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/message.h"

#include "system/syscalls.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A reader of stderr that has gone away must not kill the program by our line. */
static void write_without_sigpipe(const char *text, size_t length) {
  sigset_t pipe_only, pending, before;
  sigemptyset(&pipe_only);
  sigaddset(&pipe_only, SIGPIPE);
  sigemptyset(&pending);
  sigpending(&pending);
  int was_pending = sigismember(&pending, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
  ssize_t written = sys_write(STDERR_FILENO, text, length);
  if (written < 0 && errno == EPIPE && !was_pending) {
    struct timespec at_once = {0, 0};
    sigtimedwait(&pipe_only, NULL, &at_once);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void pomp_message(const char *format, ...) {
  int saved = errno;
  char line[1024] = "pomp: ";
  size_t used = strlen(line);
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line + used, sizeof line - used - 1, format, arguments);
  va_end(arguments);
  if (length < 0)
    length = 0;
  used += (size_t)length < sizeof line - used - 1 ? (size_t)length : sizeof line - used - 2;
  line[used++] = '\n';
  write_without_sigpipe(line, used);
  errno = saved;
}
