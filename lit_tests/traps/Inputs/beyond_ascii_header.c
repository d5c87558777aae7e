#include "beyond_ascii.h"
int main(void) {
  PARALLEL { }
  f();
  return 0;
}
