/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process/snapshot_thread.h"

#include "process/snapshot.h"
#include "system/clock.h"
#include "system/message.h"
#include "system/own_thread.h"

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
  pomp_own_thread_wake(&watcher, WANTED);
  errno = error;
}

static uint64_t left_until(uint64_t deadline) {
  uint64_t now = pomp_clock_nanoseconds();
  return !deadline ? UINT64_MAX : deadline > now ? deadline - now : 0;
}

/* Missed moments are skipped. */
static uint64_t next_after(uint64_t deadline) {
  uint64_t now = pomp_clock_nanoseconds();
  return deadline + ((now - deadline) / interval + 1) * interval;
}

static void *watch(void *own) {
  uint64_t deadline = interval ? pomp_clock_nanoseconds() + interval : 0;
  for (;;) {
    uint32_t flags = pomp_own_thread_wait(own, left_until(deadline));
    if (flags & POMP_OWN_THREAD_OVER)
      return NULL;
    if (flags & WANTED)
      pomp_snapshot_take(POMP_BY_SIGNAL);
    if (deadline && pomp_clock_nanoseconds() >= deadline) {
      pomp_snapshot_take(POMP_BY_INTERVAL);
      deadline = next_after(deadline);
    }
  }
}

/* Takes the signal only if the program has no handler for it. */
static void take_signal(int number) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;
  sigemptyset(&action.sa_mask);
  if (sigaction(number, NULL, &before) != 0 || before.sa_handler != SIG_DFL ||
      sigaction(number, &action, NULL) != 0)
    pomp_message("POMP_SNAPSHOT_SIGNAL: signal %d is taken, it makes no snapshot", number);
  else
    signal_taken = number;
}

void pomp_snapshot_thread_start(const struct pomp_settings *settings) {
  interval = settings->snapshot_interval;
  if (!interval && !settings->snapshot_signal)
    return;
  if (settings->snapshot_signal)
    take_signal(settings->snapshot_signal);
  if (!interval && !signal_taken)
    return;
  if (!pomp_own_thread_start(&watcher, watch))
    pomp_message("cannot start the thread that takes snapshots: %s", strerror(errno));
}

void pomp_snapshot_thread_stop(void) {
  if (watcher.runs)
    pomp_own_thread_wake(&watcher, POMP_OWN_THREAD_OVER);
}

/* A sender of the signal does not know that the program is about to end. */
static void give_signal_up(void) {
  struct sigaction now;
  if (signal_taken && sigaction(signal_taken, NULL, &now) == 0 && now.sa_handler == on_signal)
    signal(signal_taken, SIG_IGN);
  signal_taken = 0;
}

void pomp_snapshot_thread_finish(void) {
  give_signal_up();
  pomp_own_thread_finish(&watcher);
}

void pomp_snapshot_thread_forget(void) { watcher.runs = false; }
