/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kind of a command line, judged by its words. */
#ifndef POMP_CLIENT_COMMAND_H
#define POMP_CLIENT_COMMAND_H

#include <limits.h>

enum kind {
  POMP_UNKNOWN, /* anything but the compile of a source that the command names */
  POMP_PLAIN,   /* a compile without OpenMP, to which nothing is added */
  POMP_OPENMP   /* a compile with OpenMP */
};

/* `compiler` is the command line from the compiler on, `program` its file. */
struct command {
  enum kind kind;
  char **compiler;
  char program[PATH_MAX];
};

struct command command_read(char **arguments);

#endif
