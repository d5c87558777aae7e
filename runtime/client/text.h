/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bytes that grow at their end. */
#ifndef POMP_CLIENT_TEXT_H
#define POMP_CLIENT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* `failed`: there was no memory, and nothing is appended any more. */
struct text {
  char *bytes;
  size_t size, room;
  bool failed;
};

void text_append(struct text *text, const void *bytes, size_t size);
void text_print(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends a file's content and returns true, or returns false if it cannot be read. */
bool text_append_file(struct text *text, const char *path);

#endif
