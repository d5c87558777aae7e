/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The part in Python as a child: if it crashes, as libclang may, the compiler is still to run. */
#ifndef POMP_CLIENT_GUARDED_H
#define POMP_CLIENT_GUARDED_H

#include <stdbool.h>

/* Returns the compiler's command line, which follows the options, or NULL for another command. */
char **guarded_compiler(char **arguments);

/* Runs a program and returns true with its exit status, negative for a signal; false if there is no
 * process for it. */
bool guarded(const char *program, char **arguments, int *status);

/* True for a signal by which a program ends that crashes. */
bool is_crash(int signal_number);

#endif
