/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "line.h"

#include "system/syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int output = STDERR_FILENO;
static pthread_once_t opened = PTHREAD_ONCE_INIT;

static void open_output(void) {
  const char *path = secure_getenv("POMP_LOG_FILE");
  int fd = path && *path ? sys_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
  if (fd >= 0)
    output = fd;
}

void pomp_log_write(const char *text, size_t length) {
  int saved = errno;
  pthread_once(&opened, open_output);
  while (length) {
    ssize_t written = sys_write(output, text, length);
    if (written < 0 && errno != EINTR)
      break;
    text += written > 0 ? written : 0;
    length -= written > 0 ? (size_t)written : 0;
  }
  errno = saved;
}
