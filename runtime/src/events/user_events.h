/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The long way of the events of the program's functions and user regions. */
#ifndef POMP_USER_EVENTS_H
#define POMP_USER_EVENTS_H

#include "export.h"

void pomp_user_enter(OMPRegDescr *d);
void pomp_user_leave(OMPRegDescr *d);

#endif
