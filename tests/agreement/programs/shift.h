#include "deep/shift.h"
static int shift(int n) { return deep_shift(n) + (1 << (n + 31)); }
