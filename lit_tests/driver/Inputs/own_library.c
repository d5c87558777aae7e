#include <stdio.h>

struct ompregdescr {
  const char *name, *sub_name;
  int num_sections;
  const char *file_name;
  int begin_line1;
};

void POMP_Critical_enter(struct ompregdescr *d) {
  fprintf(stderr, "mine: %s %s at line %d\n", d->name, d->sub_name, d->begin_line1);
}
