#ifndef MACROS_H
#define MACROS_H
#define STR(x) #x
#define OMP(x) _Pragma(STR(omp x))
#include "../other.h"
#endif
