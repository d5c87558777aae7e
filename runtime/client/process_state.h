/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef POMP_CLIENT_PROCESS_STATE_H
#define POMP_CLIENT_PROCESS_STATE_H

#include "text.h"

/* Writes what a server must share with its clients, as pomp_clang/driver/server/process_state.py
 * does; `home` is the folder of the scripts. Returns false if there is no /proc, or a tracer. */
bool process_state(struct text *state, const char *home, const char *libclang);

#endif
