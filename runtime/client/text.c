/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "text.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_room(struct text *text, size_t more) {
  if (text->failed || text->room - text->size > more)
    return !text->failed;
  size_t room = 2 * (text->size + more) + 4096;
  char *bytes = realloc(text->bytes, room);
  if (!bytes) {
    text->failed = true;
    return false;
  }
  text->bytes = bytes, text->room = room;
  return true;
}

void text_append(struct text *text, const void *bytes, size_t size) {
  if (!has_room(text, size))
    return;
  memcpy(text->bytes + text->size, bytes, size);
  text->size += size;
  text->bytes[text->size] = '\0';
}

void text_print(struct text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (size < 0 || !has_room(text, (size_t)size))
    return;
  va_start(arguments, format);
  vsnprintf(text->bytes + text->size, (size_t)size + 1, format, arguments);
  va_end(arguments);
  text->size += (size_t)size;
}

bool text_append_file(struct text *text, const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  size_t begin = text->size;
  ssize_t size = -1;
  while (has_room(text, 4096) && (size = read(file, text->bytes + text->size, 4096)) > 0)
    text->size += (size_t)size;
  close(file);
  if (size != 0)
    text->size = begin;
  return size == 0;
}
