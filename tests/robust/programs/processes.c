/* Processes that a program makes, and the ways in which they go on and end. */
#define _GNU_SOURCE
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int team(void) {
  int members = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp critical(counting)
    members++;
  }
  return members;
}

static int alone(void) {
  int sum = 0;
#pragma omp critical(counting)
  sum++;
  return sum;
}

static int status_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* Forks come before the first team: after one, libgomp's child waits for threads it has not. */
static void forks(int count, int by_exit) {
  int sum = 0;
  for (int i = 0; i < count; i++) {
    pid_t child = fork();
    if (child == 0) {
      int members = i % 16 ? alone() : team();
      if (by_exit)
        exit(members);
      _exit(members);
    }
    sum += status_of(child);
  }
  printf("children say %d, the parent %d\n", sum, team());
}

static void fork_and_exec(char *self) {
  alone();
  pid_t child = fork();
  if (child == 0) {
    alone();
    execl(self, self, "leaf", (char *)0);
    _exit(99);
  }
  printf("exec %d\n", status_of(child));
}

static void vfork_and_exec(char *self) {
  alone();
  pid_t child = vfork();
  if (child == 0) {
    execl(self, self, "leaf", (char *)0);
    _exit(99);
  }
  printf("vfork %d\n", status_of(child));
  child = vfork();
  if (child == 0)
    _exit(5);
  printf("vfork %d\n", status_of(child));
  alone();
}

static void spawns(char *self) {
  char *arguments[] = {self, "leaf", NULL};
  pid_t child;
  alone();
  if (posix_spawn(&child, self, NULL, NULL, arguments, environ) == 0)
    printf("spawn %d\n", status_of(child));
  char line[4096];
  snprintf(line, sizeof line, "%s leaf", self);
  printf("system %d\n", WEXITSTATUS(system(line)));
  alone();
}

/* The daemon's own work is over when the pipe, which it holds to its end, is closed. */
static void becomes_daemon(void) {
  int ends[2];
  if (pipe(ends) != 0)
    exit(1);
  if (fork() != 0) {
    char byte;
    close(ends[1]);
    while (read(ends[0], &byte, 1) > 0)
      putchar(byte);
    exit(0);
  }
  close(ends[0]);
  setsid();
  if (fork() != 0)
    _exit(0);
  if (chdir("/") != 0)
    _exit(1);
  for (int fd = 0; fd < 3; fd++)
    close(fd);
  int members = team() + '0';
  if (write(ends[1], &members, 1) != 1)
    _exit(1);
  exit(0);
}

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "";
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (!strcmp(what, "leaf"))
    return team() == 2 ? 42 : 1;
  if (!strcmp(what, "forks"))
    forks(atoi(words[2]), atoi(words[3]));
  if (!strcmp(what, "exec"))
    fork_and_exec(words[0]);
  if (!strcmp(what, "vfork"))
    vfork_and_exec(words[0]);
  if (!strcmp(what, "spawn"))
    spawns(words[0]);
  if (!strcmp(what, "daemon"))
    becomes_daemon();
  if (!strcmp(what, "replace")) {
    team();
    execl(words[0], words[0], "leaf", (char *)0);
  }
  return 0;
}
