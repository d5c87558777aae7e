#include "external_inline.h"
#include <stdio.h>
extern int twice(int);
int e2(void);
int main(void) { printf("%d %d\n", twice(3), e2()); return 0; }
