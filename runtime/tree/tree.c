/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tree.h"

/* CXChildVisitResult */
enum { CONTINUE = 1, RECURSE = 2 };

/* CXCursorKind: the preprocessor's directives, macros and inclusions */
enum { FIRST_PREPROCESSING = 500, LAST_PREPROCESSING = 503 };

static void add(struct pomp_cursor_list *list, struct pomp_cursor cursor) {
  if (list->count < list->room) {
    struct pomp_cursor_row *row = &list->rows[list->count];
    struct pomp_range extent = list->extent_of(cursor);
    row->cursor = cursor;
    row->begin = extent.begin;
    row->end = extent.end;
  }
  list->count++;
}

static int add_child(struct pomp_cursor cursor, struct pomp_cursor parent, void *data) {
  (void)parent;
  if (cursor.kind < FIRST_PREPROCESSING || cursor.kind > LAST_PREPROCESSING)
    add(data, cursor);
  return CONTINUE;
}

static int add_outermost(struct pomp_cursor cursor, struct pomp_cursor parent, void *data) {
  struct pomp_cursor_list *list = data;
  (void)parent;
  if (cursor.kind < 0 || (uint64_t)cursor.kind >= list->kind_count || !list->kinds[cursor.kind])
    return RECURSE;
  add(list, cursor);
  return CONTINUE;
}

void pomp_list_children(struct pomp_cursor_list *list, struct pomp_cursor parent) {
  list->count = 0;
  list->visit_children(parent, add_child, list);
}

void pomp_list_within(struct pomp_cursor_list *list, struct pomp_cursor parent) {
  list->count = 0;
  list->visit_children(parent, add_outermost, list);
}
