/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "watch.h"

#include "clock.h"
#include "say.h"
#include "snapshot.h"
#include "syscalls.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { WANTED = 1, OVER = 2 };

#define SECOND UINT64_C(1000000000)
#define LONGEST_WAIT (SECOND / 4) /* then it looks whether the others are gone */

static _Atomic uint32_t flags;
static pthread_t watcher;
static bool watching;
static uint64_t interval; /* nanoseconds; 0: none */
static int signal_taken;

static void set_flag(uint32_t flag) {
  atomic_fetch_or(&flags, flag);
  syscall(SYS_futex, &flags, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* The snapshot itself is the watcher's business. */
static void on_signal(int number) {
  int error = errno;
  (void)number;
  set_flag(WANTED);
  errno = error;
}

/* Until a flag is set, at the latest until then (0: none). */
static void wait_until(uint64_t deadline) {
  uint64_t now = pomp_clock_nanoseconds();
  uint64_t left = !deadline ? LONGEST_WAIT : deadline > now ? deadline - now : 0;
  left = left < LONGEST_WAIT ? left : LONGEST_WAIT;
  struct timespec time = {(time_t)(left / SECOND), (long)(left % SECOND)};
  if (left)
    syscall(SYS_futex, &flags, FUTEX_WAIT_PRIVATE, 0, &time, NULL, 0);
}

/* A process whose main thread has left by pthread_exit ends with the last of the others: this
 * one must not keep it.  The line says "pid (name) state ...", the number of threads is the
 * 18th word from the state. */
static bool is_last(void) {
  char line[1024];
  int fd = sys_open("/proc/self/stat", O_RDONLY | O_CLOEXEC, 0);
  ssize_t length = fd < 0 ? 0 : sys_read(fd, line, sizeof line - 1);
  if (fd >= 0)
    sys_close(fd);
  line[length > 0 ? length : 0] = '\0';
  char *word = strrchr(line, ')');
  if (!word || word[1] != ' ' || word[2] != 'Z')
    return false;
  word += 2;
  for (int i = 1; word && i < 18; i++)
    word = strchr(word + 1, ' ');
  return word && atoi(word) <= 2;
}

/* What was missed is not made up for. */
static uint64_t next_after(uint64_t deadline) {
  uint64_t now = pomp_clock_nanoseconds();
  return deadline + ((now - deadline) / interval + 1) * interval;
}

static void *watch(void *unused) {
  uint64_t deadline = interval ? pomp_clock_nanoseconds() + interval : 0;
  for (;;) {
    wait_until(deadline);
    uint32_t set = atomic_fetch_and(&flags, ~(uint32_t)WANTED);
    if (set & OVER || is_last())
      return unused;
    if (set & WANTED)
      pomp_snapshot_take(POMP_BY_SIGNAL);
    if (deadline && pomp_clock_nanoseconds() >= deadline) {
      pomp_snapshot_take(POMP_BY_INTERVAL);
      deadline = next_after(deadline);
    }
  }
}

/* The program's signals are for its own threads. */
static bool start_thread(void) {
  sigset_t all, before;
  pthread_attr_t attributes;
  sigfillset(&all);
  if (pthread_attr_init(&attributes) != 0)
    return false;
  pthread_attr_setstacksize(&attributes, (size_t)1 << 18);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int error = pthread_create(&watcher, &attributes, watch, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  errno = error;
  return error == 0;
}

/* Only where nobody else has something to do at the signal. */
static void take_signal(int number) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;
  sigemptyset(&action.sa_mask);
  if (sigaction(number, NULL, &before) != 0 || before.sa_handler != SIG_DFL ||
      sigaction(number, &action, NULL) != 0)
    pomp_say("POMP_SNAPSHOT_SIGNAL: signal %d is taken, it makes no snapshot", number);
  else
    signal_taken = number;
}

void pomp_watch_start(const struct pomp_settings *settings) {
  interval = settings->snapshot_interval;
  if (!interval && !settings->snapshot_signal)
    return;
  if (settings->snapshot_signal)
    take_signal(settings->snapshot_signal);
  if (!interval && !signal_taken)
    return;
  watching = start_thread();
  if (!watching)
    pomp_say("cannot start the thread that takes snapshots: %s", strerror(errno));
}

void pomp_watch_stop(void) {
  if (watching)
    set_flag(OVER);
}

/* Who sends the signal does not know that the program is about to end. */
static void give_signal_up(void) {
  struct sigaction now;
  if (signal_taken && sigaction(signal_taken, NULL, &now) == 0 && now.sa_handler == on_signal)
    signal(signal_taken, SIG_IGN);
  signal_taken = 0;
}

void pomp_watch_finish(void) {
  give_signal_up();
  pomp_watch_stop();
  if (watching)
    pthread_join(watcher, NULL);
  watching = false;
}

void pomp_watch_forget(void) { watching = false; }
