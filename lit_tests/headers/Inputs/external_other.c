#include "external_inline.h"
int e2(void);
int e2(void) { int (*volatile f)(int) = twice; return f(4) + twice(2); }
