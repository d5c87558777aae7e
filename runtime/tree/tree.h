/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists of libclang's cursors with their places: pomp_clang/frontend/c/cursor_rows.py.
 *
 * libclang hands out cursors one by one, to a function of its caller.  A function in Python takes
 * ten times as long as libclang itself.  No header of libclang is needed: the structures are part
 * of its stable interface (clang-c/Index.h). */
#ifndef POMP_TREE_H
#define POMP_TREE_H

#include <stdint.h>

#define POMP_TREE_EXPORT __attribute__((visibility("default")))

/* CXCursor */
struct pomp_cursor {
  int kind;
  int xdata;
  const void *data[3];
};

/* CXSourceRange */
struct pomp_range {
  const void *data[2];
  unsigned begin;
  unsigned end;
};

/* CXCursorVisitor */
typedef int pomp_visitor(struct pomp_cursor cursor, struct pomp_cursor parent, void *data);

struct pomp_cursor_row {
  struct pomp_cursor cursor;
  unsigned begin;
  unsigned end;
};

/* `visit_children` and `extent_of` are libclang's clang_visitChildren and clang_getCursorExtent.
 * `rows` has room for `room` cursors; `count` is the number of all. */
struct pomp_cursor_list {
  unsigned (*visit_children)(struct pomp_cursor parent, pomp_visitor *visitor, void *data);
  struct pomp_range (*extent_of)(struct pomp_cursor cursor);
  struct pomp_cursor_row *rows;
  uint64_t room;
  uint64_t count;
  const uint8_t *kinds;
  uint64_t kind_count;
};

/* List the children of a cursor without those of the preprocessor. */
POMP_TREE_EXPORT void pomp_list_children(struct pomp_cursor_list *list, struct pomp_cursor parent);

/* List the outermost cursors at any depth whose `kinds` are not 0. */
POMP_TREE_EXPORT void pomp_list_within(struct pomp_cursor_list *list, struct pomp_cursor parent);

#endif
