/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef POMP_MESSAGE_H
#define POMP_MESSAGE_H

/* One line on stderr, "pomp: ..."; the process is otherwise left as it was. */
__attribute__((format(printf, 1, 2))) void pomp_message(const char *format, ...);

#endif
