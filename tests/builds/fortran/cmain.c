#include <stdio.h>
void old_(int *); void part_(int *);
int main(void) { int n = 0; old_(&n); part_(&n); printf("%d\n", n); return 0; }
