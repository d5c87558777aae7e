/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A command that a waiting server carries out: pomp_clang/driver/server/request.py has the format
 * of messages. */
#ifndef POMP_CLIENT_SERVED_H
#define POMP_CLIENT_SERVED_H

#include "command.h"

#include <stdbool.h>

/* Writes the exit status, negative for a signal. Returns false if no server does it: then nothing
 * has happened. */
bool served(const struct command *command, char **arguments, const char *home, int *status);

#endif
