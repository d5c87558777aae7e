/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "watch.h"

#include "clock.h"
#include "own_thread.h"
#include "say.h"
#include "snapshot.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>

enum { WANTED = 2 };

static struct pomp_own_thread watcher;
static uint64_t interval; /* nanoseconds; 0: none */
static int signal_taken;

/* The snapshot itself is the watcher's business. */
static void on_signal(int number) {
  int error = errno;
  (void)number;
  pomp_own_thread_tell(&watcher, WANTED);
  errno = error;
}

static uint64_t left_until(uint64_t deadline) {
  uint64_t now = pomp_clock_nanoseconds();
  return !deadline ? UINT64_MAX : deadline > now ? deadline - now : 0;
}

/* What was missed is not made up for. */
static uint64_t next_after(uint64_t deadline) {
  uint64_t now = pomp_clock_nanoseconds();
  return deadline + ((now - deadline) / interval + 1) * interval;
}

static void *watch(void *own) {
  uint64_t deadline = interval ? pomp_clock_nanoseconds() + interval : 0;
  for (;;) {
    uint32_t told = pomp_own_thread_wait(own, left_until(deadline));
    if (told & POMP_OWN_THREAD_OVER)
      return NULL;
    if (told & WANTED)
      pomp_snapshot_take(POMP_BY_SIGNAL);
    if (deadline && pomp_clock_nanoseconds() >= deadline) {
      pomp_snapshot_take(POMP_BY_INTERVAL);
      deadline = next_after(deadline);
    }
  }
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
  if (!pomp_own_thread_start(&watcher, watch))
    pomp_say("cannot start the thread that takes snapshots: %s", strerror(errno));
}

void pomp_watch_stop(void) {
  if (watcher.runs)
    pomp_own_thread_tell(&watcher, POMP_OWN_THREAD_OVER);
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
  pomp_own_thread_finish(&watcher);
}

void pomp_watch_forget(void) { watcher.runs = false; }
